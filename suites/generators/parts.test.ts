import { describe, expect, test } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { at, differences, steps } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import { freeMembers } from './free-form.ts';
import { conditions, marks } from './odd-texts.ts';
import { bodyOfParts, fieldParts, oddParts, type PartKind, type PartsInput } from './parts.ts';
import { wideBodies } from './wide-body.ts';

const text = { type: 'string' } as const;

/** One field of each sort that gets odd values, and one of each that does not. */
const schema: ObjectSchema = {
  type: 'object',
  properties: {
    title: text,
    short: { type: 'string', maxLength: 30 },
    page: { type: 'string', annotation: { formatHint: 'url' } },
    query: { type: 'string', annotation: { formatHint: 'sql' } },
    count: { type: 'integer' },
    share: { type: 'number', minimum: 0, maximum: 1 },
    tags: { type: 'array', items: text },
    few: { type: 'array', items: text, maxItems: 4 },
    links: { type: 'array', items: { type: 'object', properties: { label: text, size: { type: 'number' } } } },
    extra: { type: 'object' },
    unit: { type: 'string', annotation: { semantics: 'reference', refersTo: 'idType' } },
    secret: { type: 'string', annotation: { compare: 'never' } },
    own: { type: 'string', annotation: { creates: true } },
    set: { enum: ['a', 'b'] },
    flag: { type: 'boolean' },
  },
};
const template = { query: 'SELECT 1' };
const [wide] = wideBodies(schema, template, everythingDeclared);
if (wide === undefined) throw new Error('the schema has no wide body');
const made = (...kinds: PartKind[]) => oddParts(wide, { kinds, turn: 0, length: 500, items: 60 });
const bodyWith = (input: PartsInput) => bodyOfParts([...fieldParts(wide), ...oddParts(wide, input)], wide);
const placesOf = (parts: ReturnType<typeof made>) => [...new Set(parts.map(({ leaf }) => leaf?.pointer ?? ''))].sort();

describe('odd values', () => {
  const inItems = (pointer: string) => [0, 1, 2].map(index => pointer.replace('*', String(index)));
  const texts = ['/title', '/short', ...inItems('/tags/*'), ...inItems('/few/*'), ...inItems('/links/*/label')];

  test.each<[PartKind, readonly string[]]>([
    ['marks', [...texts, '/page', '/query']],
    ['words', [...texts, '/page']],
    ['nulls', texts],
    ['long', texts.filter(place => place !== '/short')],
    ['lists', ['/tags', '/links']],
    ['numbers', ['/count', '/share', ...inItems('/links/*/size')]],
    ['negatives', ['/count', '/share', ...inItems('/links/*/size')]],
    ['free-form', ['/extra']],
  ])('%s stand wherever they may', (kind, places) => {
    expect(placesOf(made(kind))).toEqual([...places].sort());
  });

  test('turn flags, each both ways and no two alike, but none that another field stands beside', () => {
    const names = Array.from({ length: 20 }, (_, index) => `is${index}`);
    const flags: ObjectSchema = {
      type: 'object',
      properties: {
        ...Object.fromEntries(names.map(name => [name, { type: 'boolean' }])),
        needed: { type: 'boolean' },
        needing: { ...text, annotation: { beside: ['needed=true'] } },
      },
    };
    const [one] = wideBodies(flags, {}, everythingDeclared);
    if (one === undefined) throw new Error('the flags have no wide body');
    const bodies = [0, 1, 2, 3, 4].map(digit =>
      bodyOfParts([...fieldParts(one), ...oddParts(one, { kinds: ['flags'], turn: 0, digit })], one),
    );
    const patterns = names.map(name => bodies.map(body => body[name]));
    for (const pattern of patterns) expect(new Set(pattern)).toEqual(new Set([true, false]));
    expect(new Set(patterns.map(pattern => pattern.join())).size).toBe(names.length);
    for (const body of bodies) expect(body.needed).toBe(true);
  });

  test('of a kind that is not asked for are none', () => {
    expect(made()).toEqual([]);
  });

  test('stand together where they are marks: each in the text, between words of its own', () => {
    const body = bodyWith({ kinds: ['marks'], turn: 0 });
    const title = String(body.title);
    for (const [, mark] of marks) expect(title).toContain(` ${mark} `);
    expect(title.startsWith(`${String(wide.body.title)} `)).toBe(true);
    expect(title.endsWith(' end.')).toBe(true);
    for (const [, condition] of conditions) expect(body.query).toContain(condition);
    expect(body.query).toContain(`(${template.query})`);
    // Every mark that fits, and none that does not.
    expect([...String(body.short)].length).toBeLessThanOrEqual(30);
    expect(String(body.short).length).toBeGreaterThan(String(wide.body.short).length + ' end.'.length);
  });

  test('of which a place has one at a time differ from place to place, and in the next turn', () => {
    const values = (turn: number) =>
      oddParts(wide, { kinds: ['words'], turn }).filter(({ leaf }) => leaf?.pointer.startsWith('/t'));
    const [now, next] = [values(0), values(1)].map(parts => parts.map(({ piece }) => piece));
    expect(new Set(now).size).toBe(now?.length);
    for (const [index, piece] of (next ?? []).entries()) expect(piece).not.toBe(now?.[index]);
  });

  test('are as long as is asked for', () => {
    const { title, tags } = bodyWith({ kinds: ['long'], turn: 0, length: 500 });
    expect([String(title).length, ...(tags as string[]).map(one => one.length)]).toEqual([500, 500, 500, 500]);
    const { tags: many, links, few } = bodyWith({ kinds: ['lists'], turn: 0, items: 60 });
    for (const list of [many, links] as Json[][]) expect(new Set(list.map(one => JSON.stringify(one))).size).toBe(60);
    expect(few).toEqual(wide.body.few);
  });

  test('without a length are none', () => {
    expect(oddParts(wide, { kinds: ['long', 'lists'], turn: 0 })).toEqual([]);
  });

  test('are each of their kind: the word null, numbers below zero, members of every sort', () => {
    expect(new Set(made('nulls').map(({ piece }) => piece))).toEqual(new Set(['null']));
    const negative = made('negatives').filter(({ leaf }) => leaf?.pointer !== '/share');
    for (const { piece } of negative) expect(piece).toBeLessThan(0);
    const { extra } = bodyWith({ kinds: ['free-form'], turn: 0 });
    expect(extra).toEqual({
      ...(isObject(wide.body.extra ?? null) ? (wide.body.extra as object) : {}),
      ...Object.fromEntries(freeMembers.map(([, name, value]) => [name, value])),
    });
  });

  test('are of a size that people send, zero, and every flag set', () => {
    expect(bodyWith({ kinds: ['tame'], turn: 0 }).count).toBe(32_769);
    for (const { size } of bodyWith({ kinds: ['tame'], turn: 0 }).links as { size: number }[]) {
      expect(String(size)).toMatch(/^\d+\.123$/);
      expect(Math.fround(size)).not.toBe(size);
    }
    expect(bodyWith({ kinds: ['zeros'], turn: 0 })).toMatchObject({ count: 0, share: 0, flag: wide.body.flag });
    expect(bodyWith({ kinds: ['set'], turn: 0 }).flag).toBe(true);
  });

  test('are a long passage and no text where sentences have no length, and two items of one name where they may', () => {
    const criterion = {
      type: 'object',
      properties: {
        column: { type: 'string', annotation: { semantics: 'reference', refersTo: 'column' } },
        values: { type: 'array', items: text },
      },
    } as const;
    const said: ObjectSchema = {
      type: 'object',
      properties: {
        said: {
          type: 'array',
          items: { type: 'object', properties: { content: { ...text, annotation: { formatHint: 'sentence' } } } },
        },
        criteria: { type: 'array', items: criterion, annotation: { repeatable: true } },
      },
    };
    const [one] = wideBodies(said, {}, everythingDeclared);
    if (one === undefined) throw new Error('there is no wide body');
    const sent = (kinds: readonly PartKind[]) =>
      bodyOfParts([...fieldParts(one), ...oddParts(one, { kinds, turn: 0, items: 60 })], one);
    const contents = (kinds: readonly PartKind[]) =>
      (sent(kinds).said as { content: string }[]).map(({ content }) => content);
    for (const content of contents(['marks'])) expect(content.length).toBeGreaterThan(5_200);
    expect(contents(['words']).map(content => content === '')).toEqual([false, false, true]);
    const columns = (sent(['lists']).criteria as { column: string }[]).map(({ column }) => column);
    expect(columns.at(-1)).toBe(columns[0]);
    expect(columns.length).toBeGreaterThan(2);
  });

  test('of one kind stand side by side, so that halves of them part the kinds first', () => {
    const words = made('marks').map(({ what }) => what);
    const runs = words.filter((what, index) => what !== words[index - 1]);
    expect(runs).toEqual([...new Set(words)]);
  });
});

describe('a body of parts', () => {
  test('is the template without any, and the wide body with all fields', () => {
    expect(bodyOfParts([], wide)).toEqual(template);
    expect(bodyOfParts(fieldParts(wide), wide)).toEqual(wide.body);
  });

  test('of one differs from the template in its field, and from the wide body in its place', () => {
    for (const part of made('marks', 'words', 'numbers', 'free-form')) {
      const field = steps(part.leaf?.pointer ?? '')[0] ?? '';
      expect(Object.keys(bodyOfParts([part], wide)).sort()).toEqual([...new Set([field, 'query'])].sort());
      const changed = differences(bodyOfParts([...fieldParts(wide), part], wide), wide.body);
      expect(changed.filter(pointer => !pointer.startsWith(part.leaf?.pointer ?? ''))).toEqual([]);
      expect(changed).not.toEqual([]);
    }
  });

  test('keeps what stands within a list that is longer', () => {
    const parts = made('lists', 'marks').filter(({ leaf }) => leaf?.pointer === '/tags');
    const [inside] = made('words').filter(({ leaf }) => leaf?.pointer === '/tags/1');
    const body = bodyOfParts([...(inside === undefined ? [] : [inside]), ...parts], wide);
    expect(body.tags).toHaveLength(60);
    expect(at(body, '/tags/1')).toBe(inside?.piece);
  });
});

const bodies = endpointIds.filter(id => templates[id] !== undefined && endpoints[id].body !== null);

test.each(bodies)('%s: what is odd is valid all the same, in every turn', id => {
  const body: ObjectSchema = endpoints[id].body ?? ({} as never);
  const problems = validatorFor(body);
  for (const one of wideBodies(body, templates[id] ?? {}, everythingDeclared))
    for (const kinds of [
      ['marks', 'numbers', 'free-form'],
      ['words', 'negatives'],
      ['nulls'],
      ['long'],
      ['lists', 'marks'],
    ] as const)
      for (const turn of [0, 1, 2]) {
        const parts = oddParts(one, { kinds, turn, length: 300, items: 60 });
        expect([kinds, problems(bodyOfParts([...fieldParts(one), ...parts], one))]).toEqual([kinds, []]);
      }
});

test('groups carry the same where a service may hold them to the same', () => {
  const experiment = endpoints['update-experiment'].body;
  const [one] = wideBodies(experiment, templates['update-experiment'] ?? {}, everythingDeclared);
  if (one === undefined) throw new Error('an experiment has no wide body');
  const parts = oddParts(one, { kinds: ['free-form', 'marks', 'words'], turn: 0 }).filter(({ leaf }) =>
    leaf?.pointer.startsWith('/groups/'),
  );
  const groups = bodyOfParts(parts, one).groups as Record<string, Json>[];
  const shared = parts
    .filter(({ leaf }) => (leaf?.alike.length ?? 0) > 0)
    .map(({ leaf }) => steps(leaf?.pointer ?? '')[2] ?? '');
  expect(shared.length).toBeGreaterThan(0);
  for (const name of shared) {
    const members = groups.map(group => Object.keys(group[name] as object).sort());
    for (const names of members) expect(names).toEqual(members[0]);
  }
  for (const { leaf } of parts) expect(['name', 'size']).not.toContain(steps(leaf?.pointer ?? '')[2]);
});
