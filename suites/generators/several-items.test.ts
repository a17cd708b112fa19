import { expect, test } from 'vitest';
import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, differences, steps } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { everythingDeclared, templates } from './capabilities.fixture.ts';
import type { RejectCase } from './cases.ts';
import { nodeOf } from './node.ts';
import { lifted, rejectCases, wholeControl } from './reject.ts';
import { wideBodies } from './wide-body.ts';

/** A target that declares three words of each kind, in the shape of its words. */
const threeDeclared: TargetCapabilities = {
  references: kind =>
    ['one', 'two', 'three'].map(word =>
      ['metric', 'assignmentSource'].includes(kind) ? { name: word, type: 'sum' } : word,
    ),
  has: () => true,
};

const bodies = endpointIds.flatMap(id => {
  const schema: ObjectSchema | null = endpoints[id].body;
  const template = templates[id];
  return schema === null || template === undefined ? [] : [{ id, schema, template }];
});

const casesOf = ({ schema, template }: (typeof bodies)[number]): readonly RejectCase[] =>
  rejectCases(schema, template, everythingDeclared).cases;

/** Returns the lists on the way to a place: the length of each in the control, and the index of the item. */
const listsOn = ({ control, pointer }: RejectCase): readonly { readonly index: number; readonly length: number }[] =>
  steps(pointer).flatMap((step, depth, all) => {
    const list = at(
      control,
      all
        .slice(0, depth)
        .map(one => `/${one}`)
        .join(''),
    );
    return Array.isArray(list) ? [{ index: Number(step), length: list.length }] : [];
  });

/** True if a case sends a value of another type that is not null. */
const isConfusion = ({ level, sent }: RejectCase): boolean => level === 'SHOULD' && sent !== undefined && sent !== null;

test.each(bodies)('a value of another type stands in the last item of every list, null in the first: $id', body => {
  for (const one of casesOf(body)) {
    // Production environments are not varied.
    if (one.level !== 'SHOULD' || one.sent === undefined || one.pointer.startsWith('/environments/')) continue;
    for (const { index, length } of listsOn(one))
      expect([one.title, index]).toEqual([one.title, isConfusion(one) ? length - 1 : 0]);
  }
});

test('lists have three items where there are as many names, and their objects are broken in each member', () => {
  const later = bodies.flatMap(body => casesOf(body).filter(one => listsOn(one).some(({ index }) => index > 0)));
  const places = new Set(
    later.map(({ pointer }) =>
      steps(pointer)
        .map(step => (/^\d+$/.test(step) ? '*' : step))
        .join('.'),
    ),
  );
  expect(places.size).toBeGreaterThan(60);
  expect(places).toContain('warehouseNative.components.*.criteria.*.values.*');
  expect(later.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/environments/1/requiresReview', '/links/2/title', '/groups/1/description']),
  );
});

test('environments are broken where they are not production, in the set as it is', () => {
  const template: JsonObject = {
    environments: ['a', 'b', 'c'].map(name => ({ name, id: name, isProduction: name === 'c', requiresReview: false })),
  };
  const { schema } = bodies.find(({ id }) => id === 'update-environments') ?? (bodies[0] as never);
  const own = rejectCases(schema, template, everythingDeclared).cases.filter(({ pointer }) =>
    /\/requiresReview$/.test(pointer),
  );
  expect(
    own.map(({ pointer, sent, control }) => [at(control, `/environments/${steps(pointer)[1]}/name`), sent]),
  ).toEqual([
    ['a', null],
    ['b', 1],
  ]);
  for (const { control } of own) {
    const { environments } = control as unknown as { environments: readonly JsonObject[] };
    expect(environments.map(one => one.name).toSorted()).toEqual(['a', 'b', 'c']);
    expect(environments.every(one => !('requiredReviewGroupID' in one))).toBe(true);
  }
});

test('what is sent in the place of a case with more items breaks the same, beside fewer', () => {
  let count = 0;
  for (const body of bodies) {
    const problems = validatorFor(body.schema);
    for (const { alone, keyword, sent, title } of casesOf(body)) {
      if (alone === undefined) continue;
      count += 1;
      expect([title, alone.keyword, alone.sent === undefined]).toEqual([title, keyword, sent === undefined]);
      expect([title, problems(alone.control), differences(alone.body, alone.control)]).toEqual([
        title,
        [],
        [alone.pointer],
      ]);
      expect([title, problems(alone.body).length > 0]).toEqual([title, true]);
    }
  }
  expect(count).toBeGreaterThan(100);
});

test('one control with all fields serves them, and one with few items where that is refused', () => {
  const { schema, template } = bodies.find(({ id }) => id === 'create-prompt-version') ?? (bodies[0] as never);
  const cases = rejectCases(schema, template, everythingDeclared).cases.filter(({ pointer }) =>
    /headers\/\d/.test(pointer),
  );
  expect(cases.length).toBeGreaterThan(8);
  const [more, fewer] = [false, true].map(few => wholeControl(schema, template, everythingDeclared, few)) as [
    JsonObject,
    JsonObject,
  ];
  expect([more.workflow_headers, fewer.workflow_headers].map(list => (list as unknown[]).length)).toEqual([3, 1]);
  for (const one of cases) {
    const up = lifted(one, more, schema);
    expect(up?.pointer).toBe(one.pointer);
    expect(up?.controlValue).toEqual(up && at(up.control, up.pointer));
    expect(lifted(one, fewer, schema)).toBe(undefined);
    expect(one.alone && lifted(one.alone, fewer, schema)?.pointer).toBe(one.alone?.pointer);
  }
});

/** Returns the number of different items in each list of a schema, by its path. */
function itemsIn(
  schema: Schema,
  value: Json | undefined,
  path: string,
): readonly (readonly [path: string, items: number])[] {
  const node = nodeOf(schema);
  if (node.kind === 'array') {
    const list = Array.isArray(value) ? value : [];
    const count = new Set(list.map(one => JSON.stringify(one))).size;
    const { items } = node.schema;
    const within = items === undefined ? [] : [undefined, ...list].flatMap(one => itemsIn(items, one, `${path}[]`));
    return [[path, count] as const, ...within];
  }
  if (node.kind !== 'object') return [];
  return Object.entries(node.schema.properties ?? {}).flatMap(([name, member]) =>
    itemsIn(member, isObject(value) ? value[name] : undefined, path === '' ? name : `${path}.${name}`),
  );
}

/** Lists with fewer than three different items, and why. */
// biome-ignore format: a table
const shorter: Readonly<Record<string, string>> = {
  rules:                    'guarded, and nothing of its items is shown',
  environments:             'the set is the one of the template',
  groups:                   'an experiment keeps its groups',
  column_types:             'the only type that is known',
};

test.each(bodies)(
  'every list has three items that differ in a request that is to be accepted, where there are names: $id',
  body => {
    const { schema, template } = body;
    const accepted = [
      ...rejectCases(schema, template, threeDeclared).cases.map(({ control }) => control),
      ...wideBodies(schema, template, threeDeclared).map(one => one.body),
    ];
    const most = new Map<string, number>();
    for (const one of accepted)
      for (const [path, items] of itemsIn(schema, one, '')) most.set(path, Math.max(most.get(path) ?? 0, items));
    const left = [...most].filter(([path, items]) => items < 3 && shorter[path] === undefined);
    expect(left).toEqual([]);
  },
);

test('further mappings name another kind of units each, and stand in what is stored too', () => {
  const { schema, template } = bodies.find(({ id }) => id === 'update-qualifying-event') ?? (bodies[0] as never);
  const [wide] = wideBodies(
    schema,
    { ...template, idTypeMapping: [{ serviceUnitID: 'one', column: 'own' }] },
    threeDeclared,
  );
  const mapped = wide?.body.idTypeMapping as unknown as readonly JsonObject[];
  expect(mapped.map(one => one.serviceUnitID)).toEqual(['one', 'two', 'three']);
});
