import { describe, expect, test } from 'vitest';
import type { Annotation, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { isValid } from '../../contracts/validation.ts';
import { everythingDeclared, nothingDeclared } from './capabilities.fixture.ts';
import { completed, exampleObject, exampleOf } from './examples.ts';

const all = { capabilities: everythingDeclared, root: {} };
const none = { capabilities: nothingDeclared, root: {} };
const text = (annotation: Annotation): Schema => ({ type: 'string', annotation });
const unit = text({ semantics: 'reference', refersTo: 'idType' });
const nullable: Schema = { type: ['string', 'null'], annotation: { semantics: 'reference', refersTo: 'idType' } };
const guarded = text({ semantics: 'guarded' });
const groups: Schema = {
  type: 'array',
  annotation: { formatHint: 'groups' },
  items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'number' } } },
};

describe('the example of a schema', () => {
  // biome-ignore format: a table
  test.each<[string, Schema, unknown, unknown]>([
    ['is the first that the contract gives',  text({ examples: ['first', 'second'] }),                     'first',    'first'],
    ['is a name that exists',                 unit,                                                        'userID',   undefined],
    ['is null where none exists',             nullable,                                                    'userID',   null],
    ['is none of what a check of its own sends', guarded,                                                  undefined,  undefined],
    ['is a member that needs no other field', { enum: ['a', 'b'], annotation: { valueNeeds: { a: ['x'] } } }, 'b',     'b'],
    ['is a member all the same',              { enum: ['a'], annotation: { valueNeeds: { a: ['x'] } } },   'a',        'a'],
    ['is the boolean that is likely accepted', { type: 'boolean', annotation: { uncertain: true } },       false,      false],
    ['and not the one that is uncertain',     { type: 'boolean', annotation: { uncertain: [true] } },      false,      false],
    ['nor one that is guarded',               { type: 'boolean', annotation: { guardedValues: [true] } },  false,      false],
    ['is true otherwise',                     { type: 'boolean' },                                         true,       true],
    ['is of the first alternative that can be', { anyOf: [guarded, unit, { const: 5 }] },                  'userID',   5],
    ['has as many items as there must be',    { type: 'array', items: { const: 1 }, minItems: 3 },         [1, 1, 1],  [1, 1, 1]],
    ['has an item where there may be',        { type: 'array', items: { const: 1 } },                      [1],        [1]],
    ['has no item where there may be none',   { type: 'array', items: { const: 1 }, maxItems: 0 },         [],         []],
    ['has no item that cannot be sent',       { type: 'object', properties: { list: { type: 'array', items: unit } , a: { const: 1 } } }, { list: ['userID'], a: 1 }, { a: 1 }],
    ['has each member that may be sent',      { type: 'object', properties: { unit, guarded, a: { const: 1 } } }, { unit: 'userID', a: 1 }, { a: 1 }],
    ['is none without what it must have',     { type: 'object', properties: { unit }, required: ['unit'] }, { unit: 'userID' }, undefined],
    ['of what no schema names has a member',  { type: 'object', additionalProperties: { const: 2 } },      { color: 2 }, { color: 2 }],
    ['that may have no member has none',      { type: 'object', additionalProperties: false },             {},         {}],
  ])('%s', (_, schema, atAll, atNone) => {
    expect([exampleOf(schema, all), exampleOf(schema, none)]).toEqual([atAll, atNone]);
  });

  test('of groups are two of different names, that share all there is', () => {
    const made = exampleOf(groups, all) as JsonObject[];
    expect(new Set(made.map(({ name }) => name)).size).toBe(2);
    expect(made.map(({ size }) => size)).toEqual([50, 50]);
  });

  test('of a thing that exists has the members of the thing, and examples of the others', () => {
    const metric: Schema = {
      type: 'object',
      properties: { name: { type: 'string' }, type: { type: 'string' }, weight: { const: 3 } },
      annotation: { semantics: 'reference', refersTo: 'metric' },
    };
    expect(exampleOf(metric, all)).toEqual({ name: 'signup', type: 'event_count', weight: 3 });
  });
});

describe('a condition', () => {
  const schema: ObjectSchema = {
    type: 'object',
    properties: { mode: { enum: ['wide', 'narrow'] }, a: { type: 'string' }, b: {}, c: { type: 'integer' } },
    allOf: [
      {
        if: { properties: { mode: { const: 'narrow' } }, required: ['mode'] },
        then: { properties: { b: { const: 'n' } }, required: ['a'] },
      },
      { if: { properties: { b: { const: 'n' } }, required: ['b'] }, then: { required: ['c'] } },
    ],
  };

  test('that does not hold changes nothing', () => {
    const body = { mode: 'wide', b: 5 };
    expect(completed(schema, body, all)).toBe(body);
  });

  test('adds what it requires, replaces what it narrows, and leaves what fits; so do those that then hold', () => {
    const body = completed(schema, { mode: 'narrow', b: 5, a: 'kept' }, all);
    expect(body).toMatchObject({ mode: 'narrow', b: 'n', a: 'kept' });
    expect(isValid(schema, body ?? {})).toBe(true);
    expect(Object.keys(completed(schema, { mode: 'narrow' }, all) ?? {}).sort()).toEqual(['a', 'mode']);
  });

  test('that requires what cannot be sent has no body', () => {
    const strict: ObjectSchema = { ...schema, properties: { ...schema.properties, a: unit } };
    expect(completed(strict, { mode: 'narrow' }, none)).toBe(undefined);
    expect(completed(strict, { mode: 'narrow' }, all)).toMatchObject({ a: 'userID' });
  });
});

test('what is given of an object stays', () => {
  const schema: ObjectSchema = { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } } };
  expect(exampleObject(schema, all, { a: 7, x: 'y' })).toEqual({ a: 7, x: 'y', b: 2 });
});
