import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { arbitraryIn } from './arbitrary.ts';
import { everythingDeclared, nothingDeclared } from './capabilities.fixture.ts';
import type { GenerationContext } from './context.ts';
import { withShrinks } from './walked.fixture.ts';

const forAll: GenerationContext = { capabilities: everythingDeclared, root: {} };

/** A few hundred values, as a run with `--time` draws them. */
function drawn(schema: Schema, context = forAll, current?: Json): readonly Json[] {
  const arbitrary = arbitraryIn(schema, context, current);
  return arbitrary === undefined ? [] : fc.sample(arbitrary, { seed: 61, numRuns: 300 });
}

const lengths = (values: readonly Json[]): ReadonlySet<number> =>
  new Set(values.flatMap(one => (typeof one === 'string' ? [...one].length : Array.isArray(one) ? one.length : [])));
const distinct = (values: readonly Json[]): ReadonlySet<string> => new Set(values.map(one => JSON.stringify(one)));

describe('what is drawn reaches', () => {
  // biome-ignore format: a table
  test.each<[string, Schema, readonly Json[]]>([
    ['each member of a set',       { enum: ['a', 7, null] },                     ['a', 7, null]],
    ['the constant',               { const: 'a' },                               ['a']],
    ['both booleans',              { type: 'boolean' },                          [true, false]],
    ['documented null',            { type: ['boolean', 'null'] },                [true, false, null]],
    ['each alternative',           { anyOf: [{ const: 1 }, { const: 'b' }] },    [1, 'b']],
    ['each example of anything',   { annotation: { examples: ['a', [1]] } },     ['a', [1]]],
    ['each integer of a few',      { type: 'integer', minimum: 3, maximum: 5 },  [3, 4, 5]],
    ['each name that exists',      { type: 'string', annotation: { semantics: 'reference', refersTo: 'idType' } }, ['userID', 'stableID']],
    ['each name, and no name',     { type: ['string', 'null'], annotation: { semantics: 'reference', refersTo: 'idType' } }, ['userID', 'stableID', null]],
  ])('%s, and nothing else', (_, schema, expected) => {
    
    expect(distinct(drawn(schema, forAll))).toEqual(distinct(expected));
  });

  test('both ends of a text, and much between', () => {
    const found = lengths(drawn({ type: 'string', minLength: 3, maxLength: 40 }));
    expect([Math.min(...found), Math.max(...found)]).toEqual([3, 40]);
    expect(found.size).toBeGreaterThan(8);
  });

  test('every character of a pattern', () => {
    const shown = new Set(drawn({ type: 'string', pattern: '^[a-f0-3_.]+$' }).join(''));
    expect([...shown].sort()).toEqual([...'abcdef0123_.'].sort());
  });

  test('other scripts where any text may stand, and only there', () => {
    const beyond = (schema: Schema) => drawn(schema).filter(one => /[^\x20-\x7e]/.test(String(one))).length;
    expect(beyond({ type: 'string' })).toBeGreaterThan(5);
    for (const formatHint of ['url', 'email', 'column', 'iso-date-time', 'digits', 'slug'] as const)
      expect([formatHint, beyond({ type: 'string', annotation: { formatHint } })]).toEqual([formatHint, 0]);
  });

  test('both bounds of a number, fractions, and many between', () => {
    const found = drawn({ type: 'number', minimum: -2, maximum: 50 }) as number[];
    expect([Math.min(...found), Math.max(...found)]).toEqual([-2, 50]);
    expect(found.some(one => !Number.isInteger(one))).toBe(true);
    expect(distinct(found).size).toBeGreaterThan(30);
  });

  test('short lists of every length, and the longest there may be', () => {
    const found = lengths(drawn({ type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 20 }));
    expect([...found].sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 20]);
  });

  test('objects with and without each member that they need not have, and with each that they must', () => {
    const schema: Schema = { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, required: ['a'] };
    expect(distinct(drawn(schema))).toEqual(distinct([{ a: 1, b: 2 }, { a: 1 }]));
  });

  test('members that no schema names, where it says what they are', () => {
    const schema: Schema = { type: 'object', properties: { a: { const: 1 } }, additionalProperties: { const: 'x' } };
    const more = drawn(schema).filter(one => isObject(one) && Object.values(one).includes('x'));
    expect(more.length).toBeGreaterThan(50);
    const closed: Schema = { ...schema, additionalProperties: false };
    expect(distinct(drawn(closed))).toEqual(distinct([{ a: 1 }, {}]));
  });

  test('free-form objects of many sorts', () => {
    expect(distinct(drawn({ type: 'object' })).size).toBeGreaterThan(20);
  });

  test('what a condition requires, and what it narrows', () => {
    const schema: Schema = {
      type: 'object',
      properties: { mode: { enum: ['wide', 'narrow'] }, a: { type: 'boolean' }, b: { type: 'integer' } },
      required: ['mode'],
      allOf: [
        {
          if: { properties: { mode: { const: 'narrow' } }, required: ['mode'] },
          then: { properties: { b: { const: 5 } }, required: ['a'] },
        },
      ],
    };
    const narrow = drawn(schema).filter(one => isObject(one) && one.mode === 'narrow') as Record<string, Json>[];
    expect(narrow.length).toBeGreaterThan(20);
    for (const one of narrow) expect([Object.hasOwn(one, 'a'), one.b ?? 5]).toEqual([true, 5]);
    expect(narrow.some(one => one.b === 5)).toBe(true);
  });
});

describe('for a target', () => {
  const guarded: Schema = { type: 'boolean', annotation: { semantics: 'guarded' } };
  const costly: Schema = { type: 'boolean', annotation: { semantics: 'capability', capability: 'enterprise' } };
  const named: Schema = { type: 'string', annotation: { semantics: 'reference', refersTo: 'idType' } };

  test('nothing is drawn of what may not be sent to it', () => {
    const lacking: GenerationContext = { capabilities: nothingDeclared, root: {} };
    expect([guarded, costly, named].map(schema => drawn(schema, lacking).length)).toEqual([0, 0, 0]);
    expect([guarded, costly, named].map(schema => drawn(schema, forAll).length)).toEqual([0, 300, 300]);
    expect(distinct(drawn({ ...named, type: ['string', 'null'] }, lacking))).toEqual(new Set(['null']));
  });

  test('what the template names stays named', () => {
    expect(drawn(named, forAll, 'userID')).toEqual([]);
    const schema: Schema = { type: 'object', properties: { unit: named, flag: { type: 'boolean' } } };
    const found = drawn(schema, forAll, { unit: 'stableID' });
    expect(distinct(found)).toEqual(
      distinct([{ unit: 'stableID', flag: true }, { unit: 'stableID', flag: false }, { unit: 'stableID' }]),
    );
  });

  test('a list of the template keeps its length, and one item at a time is varied', () => {
    const schema: Schema = { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } };
    const current = [{ n: 1 }, { n: 2 }];
    const changed = (drawn(schema, forAll, current) as { n: number }[][]).map(list => {
      expect(list).toHaveLength(2);
      return list.flatMap((item, index) => (item.n === current[index]?.n ? [] : [index]));
    });
    expect(distinct(changed)).toEqual(distinct([[], [0], [1]]));
  });

  test('a list of names has each once, in every number', () => {
    const schema: Schema = { type: 'array', items: named };
    expect(distinct(drawn(schema, forAll))).toEqual(distinct([[], ['userID'], ['stableID'], ['userID', 'stableID']]));
    expect(drawn(schema, forAll, ['userID']).every(one => (one as Json[]).length > 0)).toBe(true);
  });
});

test('values shrink to what is simplest, and stay within their bounds on the way', () => {
  const least = (schema: Schema): Json => {
    const arbitrary: fc.Arbitrary<Json> = arbitraryIn(schema, forAll) ?? fc.constant(null);
    const { counterexample } = fc.check(
      fc.property(arbitrary, () => false),
      { seed: 62 },
    );
    return counterexample?.[0] as Json;
  };
  expect(least({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 9 })).toHaveLength(2);
  expect(least({ type: 'object', properties: { a: { type: 'boolean' }, b: {} }, required: ['a'] })).toEqual({
    a: true,
  });
  const texts = withShrinks(
    arbitraryIn({ type: 'string', minLength: 4, maxLength: 9 }, forAll) ?? fc.constant(null),
    63,
    30,
  );
  for (const one of texts) expect([...String(one)].length >= 4 && [...String(one)].length <= 9).toBe(true);
});
