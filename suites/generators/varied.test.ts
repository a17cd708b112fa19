import { describe, expect, test } from 'vitest';
import type { ArraySchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { everythingDeclared } from './capabilities.fixture.ts';
import type { GenerationContext } from './context.ts';
import { keepsItems, listOf, turnedItems, unlikeGroups, variedGroups, variedOf } from './varied.ts';

const forAll: GenerationContext = { capabilities: everythingDeclared, root: {} };
const turns = (schema: Schema, count: number) =>
  Array.from({ length: count }, (_, turn) => variedOf(schema, forAll, turn));
const unit: Schema = { type: 'string', annotation: { semantics: 'reference', refersTo: 'idType' } };

describe('ordinary values take turns', () => {
  // biome-ignore format: a table
  test.each<[string, Schema, readonly unknown[]]>([
    ['through the examples',            { type: 'string', annotation: { examples: ['a', 'b'], furtherExamples: ['c'] } }, ['a', 'b', 'c', 'a']],
    ['through a closed set',            { enum: ['a', 'b'] },             ['a', 'b', 'a', 'b']],
    ['but for members that need others', { enum: ['a', 'b', 'c'], annotation: { valueNeeds: { b: ['x'] } } }, ['a', 'c', 'a', 'c']],
    ['through the names that exist',    unit,                             ['userID', 'stableID', 'userID', 'stableID']],
    ['through both booleans',           { type: 'boolean' },              [true, false, true, false]],
    ['but for guarded ones',            { type: 'boolean', annotation: { guardedValues: [true] } }, [false, false, false, false]],
    ['but not where they are uncertain', { enum: ['a', 'b'], annotation: { uncertain: true } }, ['a', 'a', 'a', 'a']],
    ['in whole numbers',                { type: 'integer', minimum: 1 },  [7, 8, 9, 10]],
    ['up to the greatest',              { type: 'integer', minimum: 1, maximum: 3 }, [2, 3, 2, 2]],
    ['in whole steps from a whole one', { type: 'number', minimum: 1 },   [7, 8, 9, 10]],
    ['in fractions from a fraction',    { type: 'number', annotation: { examples: [1.5] } }, [1.5, 1.75, 2, 2.25]],
    ['below one from a part of one',    { type: 'number', annotation: { examples: [0.95] } }, [0.95, 0.9354, 0.9212, 0.9075]],
  ])('%s', (_, schema, expected) => {
    expect(turns(schema, 4)).toEqual(expected);
  });

  test('through texts, and in every member of an object', () => {
    const schema: Schema = { type: 'object', properties: { text: { type: 'string' }, n: { type: 'integer' }, unit } };
    const [one, other] = turns(schema, 2) as Record<string, Json>[];
    for (const name of ['text', 'n', 'unit']) expect(one?.[name]).not.toEqual(other?.[name]);
  });
});

test('the members of an object have no text, number or flag in common, as long as there are others', () => {
  const flag: Schema = { type: 'boolean' };
  const schema: Schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' }, isOn: flag, isOff: flag, isBoth: flag },
  };
  const [one, other] = turns(schema, 2) as Record<string, Json>[];
  expect(one).toMatchObject({ a: 7, b: 8, isOn: true, isOff: false });
  expect(other).toMatchObject({ a: 8, b: 9, isOn: false, isOff: true });
});

describe('a list', () => {
  const texts: ArraySchema = { type: 'array', items: { type: 'string' } };

  test('has as many different items as are asked for, within its bounds', () => {
    for (const [schema, length] of [
      [texts, 3],
      [{ ...texts, maxItems: 2 }, 2],
      [{ ...texts, minItems: 5 }, 3],
    ] as const) {
      const list = listOf(schema, forAll, 0, 3) ?? [];
      expect(list).toHaveLength(length);
      expect(new Set(list).size).toBe(length);
    }
  });

  test('names each thing once', () => {
    expect(listOf({ type: 'array', items: unit }, forAll, 0, 5)).toEqual(['userID', 'stableID']);
    const objects = listOf(
      { type: 'array', items: { type: 'object', properties: { unit, text: { type: 'string' } } } },
      forAll,
      0,
      5,
    );
    expect(objects?.map(one => isObject(one) && one.unit)).toEqual(['userID', 'stableID']);
  });

  test('whose items nobody can name is none', () => {
    const layer: Schema = { type: 'string', annotation: { semantics: 'reference', refersTo: 'layer' } };
    expect(listOf({ type: 'array', items: layer, minItems: 1 }, forAll, 0, 3)).toBe(undefined);
  });
});

describe('the items of a template', () => {
  const flags: ArraySchema = {
    type: 'array',
    annotation: { varies: 'isLive=false' },
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, isLive: { type: 'boolean' }, isSafe: { type: 'boolean' } },
    },
  };

  test('of which some may be varied have every other flag of these turned, in another order', () => {
    const current = [
      { name: 'a', isLive: false, isSafe: true },
      { name: 'b', isLive: true, isSafe: true },
    ];
    expect(turnedItems(flags, current)).toEqual([current[1], { name: 'a', isLive: false, isSafe: false }]);
  });

  test('stay where none may be varied, or has a flag', () => {
    expect(turnedItems(flags, [{ name: 'b', isLive: true, isSafe: true }])).toBe(undefined);
    expect(turnedItems(flags, [{ name: 'a', isLive: false }])).toBe(undefined);
    expect(turnedItems({ type: 'array', items: flags.items as Schema }, [{ isLive: false, isSafe: true }])).toBe(
      undefined,
    );
  });

  test('are kept where they name things', () => {
    const naming: Schema = { type: 'array', items: { type: 'object', properties: { unit } } };
    expect(keepsItems(naming, [{ unit: 'userID' }])).toBe(true);
    expect(keepsItems(naming, [])).toBe(false);
    expect(keepsItems(naming, undefined)).toBe(false);
    expect(keepsItems({ type: 'array', items: { type: 'string' } }, ['a'])).toBe(false);
  });
});

test('groups keep name and share, differ in their details, and have the same members where they must agree', () => {
  const schema: ArraySchema = {
    type: 'array',
    annotation: { formatHint: 'groups' },
    items: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        size: { type: 'number' },
        note: { type: 'string' },
        values: { type: 'object', annotation: { alike: true, examples: [{ color: 'blue', n: 1 }] } },
      },
    },
  };
  const current = [
    { name: 'A', size: 40 },
    { name: 'B', size: 60 },
  ];
  const [one, other] = variedGroups(schema, forAll, current) as Record<string, Json>[];
  expect([one, other].map(group => ({ name: group?.name, size: group?.size }))).toEqual(current);
  expect(one?.note).not.toEqual(other?.note);
  expect(one?.values).not.toEqual(other?.values);
  expect(Object.keys(one?.values as object)).toEqual(Object.keys(other?.values as object));
});

// biome-ignore format: a table
test.each([
  [1, [100]],
  [2, [34.125, 65.875]],
  [3, [18.125, 33.25, 48.625]],
  [4, [12.125, 20.25, 28.625, 39]],
])('the sizes of %i groups that are unlike are uneven, have fractions and add up', (count, sizes) => {
  const schema: Schema = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'number' }, parameterValues: { type: 'object', annotation: { alike: true, examples: [{}, { color: 'blue' }] } } } } };
  const named = Array.from({ length: count }, (_, index) => ({ name: `Group ${index}`, size: 1, parameterValues: {} }));
  const groups = unlikeGroups(schema, forAll, named) as Record<string, Json>[];
  expect(groups.map(({ size }) => size)).toEqual(sizes);
  expect(groups.reduce((sum, { size }) => sum + Number(size), 0)).toBe(100);
  expect(new Set(groups.map(({ parameterValues }) => JSON.stringify(parameterValues))).size).toBe(count);
  expect(groups.map(({ name }) => name)).toEqual(named.map(({ name }) => name));
});
