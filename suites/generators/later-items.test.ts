import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { type Json, type JsonObject, membersOf } from '../../contracts/json.ts';
import { at, differences, steps } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { everythingDeclared, nothingDeclared, templates } from './capabilities.fixture.ts';
import type { RejectCase } from './cases.ts';
import { besideOthers, laterItemCases } from './later-items.ts';
import { rejectCases } from './reject.ts';
import { schemaArbitrary } from './schemas.fixture.ts';
import { wideBodies } from './wide-body.ts';

/** Every body, at a target that declares everything and at one that declares nothing. */
const bodies = endpointIds.flatMap(id => {
  const schema: ObjectSchema | null = endpoints[id].body;
  const template = templates[id];
  if (schema === null || template === undefined) return [];
  return [everythingDeclared, nothingDeclared].map(capabilities => ({ id, schema, template, capabilities }));
});

/** Names the rule that a case breaks, and the place in the item: `minLength /name`. */
const ruleOf = ({ keyword, pointer }: RejectCase): string => `${keyword} ${steps(pointer).slice(2).join('/')}`;

/**
 * Returns the stated rules that cases break in one item of a field, without those of a condition: whether a condition
 * holds depends on the control.
 */
function brokenAt(cases: readonly RejectCase[], field: string, index: number): readonly string[] {
  const broken = cases.filter(({ keyword, pointer, level }) => {
    const [root, item] = steps(pointer);
    return level === 'MUST' && keyword !== 'allOf' && root === field && item === String(index);
  });
  return [...new Set(broken.map(ruleOf))].sort();
}

const lengthOf = ({ control }: RejectCase, field: string): number => (control[field] as readonly unknown[]).length;

/** Checks the cases of later items against those of first items, and returns the number of lists. */
function held(schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities): number {
  const problems = validatorFor(schema);
  const first = rejectCases(schema, template, capabilities).cases;
  const later = laterItemCases(schema, template, capabilities);
  for (const { title, body, control, pointer } of later) {
    expect([title, problems(control)]).toEqual([title, []]);
    expect([title, problems(body).length > 0]).toEqual([title, true]);
    expect(differences(body, control)).toEqual([pointer]);
  }
  const fields = new Set(
    later.filter(({ pointer }) => steps(pointer).length > 1).map(({ pointer }) => steps(pointer)[0] ?? ''),
  );
  for (const field of fields) {
    const own = later.filter(({ pointer }) => pointer.startsWith(`/${field}/`));
    const [length = 0, ...others] = new Set(own.map(one => lengthOf(one, field)));
    expect(others).toEqual([]);
    expect([field, brokenAt(own, field, length - 1)]).toEqual([field, brokenAt(first, field, 0)]);
    // One broken rule shows that the second item is looked at, unless it is the last.
    const second = own.filter(({ pointer }) => pointer.startsWith(`/${field}/1`));
    if (length > 2) expect([field, second.length]).toEqual([field, 1]);
  }
  return fields.size;
}

describe('the last item of a list is broken in each rule in which the first is, the second in one,', () => {
  test('in every body', () => {
    const lists = bodies.map(({ schema, template, capabilities }) => held(schema, template, capabilities));
    expect(lists.reduce((sum, one) => sum + one)).toBeGreaterThan(10);
  });

  test('in lists of random items', () => {
    let lists = 0;
    for (const items of fc.sample(schemaArbitrary, { seed: 41, numRuns: 40 })) {
      const schema: ObjectSchema = { type: 'object', properties: { list: { type: 'array', items } } };
      lists += held(schema, {}, everythingDeclared);
    }
    expect(lists).toBeGreaterThan(12);
  });
});

describe('a case beside all other fields', () => {
  const { schema, template, capabilities } =
    bodies.find(({ id }) => id === 'update-qualifying-event') ?? (bodies[0] as never);
  const [wide] = wideBodies(schema, template, capabilities);
  const cases = [
    ...rejectCases(schema, template, capabilities).cases,
    ...laterItemCases(schema, template, capabilities),
  ];

  test('breaks the same there and nothing else', () => {
    const made = cases.flatMap(one => besideOthers(one, wide?.body ?? {}, schema) ?? []);
    expect(made.length).toBeGreaterThan(cases.length / 2);
    for (const one of made) {
      expect(Object.keys(one.control)).toEqual(expect.arrayContaining(Object.keys(wide?.body ?? {})));
      expect(differences(one.body, one.control)).toEqual([one.pointer]);
      expect(at(one.body, one.pointer)).toEqual(one.sent);
      expect(at(one.control, one.pointer)).toEqual(one.controlValue);
    }
  });

  test('is none where the others lack what it breaks', () => {
    const within = cases.filter(({ pointer }) => steps(pointer).length > 1);
    expect(within.map(one => besideOthers(one, template, schema)).filter(one => one !== undefined).length).toBeLessThan(
      within.length,
    );
    for (const one of within)
      if (at(template, one.pointer) === undefined) expect(besideOthers(one, template, schema)).toBe(undefined);
  });
});

test('a list that may have so many items is one too long by an item of zeros', () => {
  const item: Schema = {
    type: 'object',
    properties: { name: { type: 'string' }, weight: { type: 'number' }, rank: { type: 'integer', minimum: 1 } },
  };
  const longIn = (items: Schema): readonly Json[][] =>
    laterItemCases({ type: 'object', properties: { list: { type: 'array', items, maxItems: 4 } } }, {}, nothingDeclared)
      .filter(({ keyword }) => keyword === 'maxItems')
      .map(({ sent }) => sent as Json[]);
  const [long = []] = longIn(item);
  expect(long).toHaveLength(5);
  expect(long.map(one => membersOf(one).weight === 0)).toEqual([false, false, false, false, true]);
  expect(membersOf(long[4]).rank).not.toBe(0);
  expect(longIn({ type: 'string' })).toEqual([]);
});
