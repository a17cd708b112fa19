import { describe, expect, test } from 'vitest';
import type { Annotation, Schema } from '../../contracts/dialect.ts';
import { everythingDeclared, nothingDeclared } from './capabilities.fixture.ts';
import { belongs, obstacle, schemaAt, standsBeside, variedIndex, wordsFor } from './context.ts';

const all = { capabilities: everythingDeclared, root: {} };
const none = { capabilities: nothingDeclared, root: {} };
const text = (annotation: Annotation): Schema => ({ type: 'string', annotation });
const unit = text({ semantics: 'reference', refersTo: 'idType' });
const layer = text({ semantics: 'reference', refersTo: 'layer' });
const guarded = text({ semantics: 'guarded' });
const costly = text({ semantics: 'capability', capability: 'enterprise' });
const plain: Schema = { type: 'string' };

describe('fields that must stand beside others', () => {
  test.each<[readonly string[], object, boolean]>([
    [[], {}, true],
    [['a'], { a: 0 }, true],
    [['a'], {}, false],
    [['a=x'], { a: 'x' }, true],
    [['a=x'], { a: 'y' }, false],
    [['a=true'], { a: true }, true],
    [['a.b=1'], { a: { b: 1 } }, true],
    [['a.b'], { a: {} }, false],
    [['a', 'b=1'], { a: 1 }, false],
    [['a', 'b=1'], { a: 1, b: 1 }, true],
    [['a=x=y'], { a: 'x=y' }, true],
  ])('%j in %j: %s', (beside, root, expected) => {
    expect(standsBeside({ beside }, root as never)).toBe(expected);
  });
});

describe('what keeps a field from being sent', () => {
  // biome-ignore format: a table
  test.each<[string, Schema, boolean, boolean]>([
    ['nothing, of a plain field',       plain,                                                    true,  true],
    ['a name that nobody declares',     unit,                                                     true,  false],
    ['a name of which there is none',   layer,                                                    false, false],
    ['a feature that is not declared',  costly,                                                   true,  false],
    ['that a check of its own sends it', guarded,                                                 false, false],
    ['that nothing is known of it',     {},                                                       false, false],
    ['nothing, where there are examples', { annotation: { examples: [1] } },                      true,  true],
    ['its items',                       { type: 'array', items: layer },                          false, false],
    ['a name in its items',             { type: 'array', items: { type: 'object', properties: { unit, plain } } }, true, false],
    ['each alternative',                { anyOf: [layer, guarded] },                              false, false],
    ['nothing, where one alternative can be', { anyOf: [layer, plain] },                          true,  true],
    ['a member that it must have',      { type: 'object', properties: { unit, plain }, required: ['unit'] }, true, false],
    ['nothing, where it can do without', { type: 'object', properties: { unit, plain } },         true,  true],
    ['all its members',                 { type: 'object', properties: { unit, layer } },          true,  false],
    ['nothing, of a free-form object',  { type: 'object' },                                       true,  true],
  ])('%s', (_, schema, atAll, atNone) => {
    expect([obstacle(schema, all) === undefined, obstacle(schema, none) === undefined]).toEqual([atAll, atNone]);
  });

  test('is told with a remedy, unless a check of its own sends it', () => {
    expect(obstacle(unit, none)?.remedy).toContain('idTypes');
    expect(obstacle(costly, none)).toMatchObject({
      capability: 'enterprise',
      remedy: expect.stringContaining('enterprise'),
    });
    expect(obstacle(guarded, none)).toMatchObject({ guarded: true });
    expect(obstacle({ type: 'object', properties: { guarded, unit } }, none)?.guarded).toBe(undefined);
  });

  test('keeps it out of objects as well, but for a documented null', () => {
    expect([plain, unit, costly].map(schema => [belongs(schema, all), belongs(schema, none)])).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ]);
    const nullable: Schema = { ...unit, type: ['string', 'null'] } as Schema;
    expect(belongs(nullable, none)).toBe(true);
    expect(belongs(text({ beside: ['a'] }), all)).toBe(false);
    expect(belongs(text({ beside: ['a'] }), { ...all, root: { a: 1 } })).toBe(true);
  });
});

test('a name that must differ from that of another field is never the same', () => {
  const other = text({ semantics: 'reference', refersTo: 'idType', differsFrom: 'first' });
  expect(wordsFor(other, { ...all, root: { first: 'userID' } })).toEqual(['stableID']);
  expect(wordsFor(other, all)).toEqual(['userID', 'stableID']);
});

test('where the one known name is taken, a second one is asked for', () => {
  const other = text({ semantics: 'reference', refersTo: 'idType', differsFrom: 'first' });
  const { capabilities } = all;
  const one = { ...all, capabilities: capabilities && { ...capabilities, references: () => ['userID'] } };
  expect(obstacle(other, { ...one, root: { first: 'userID' } })).toMatchObject({
    because: 'it must name something else than first does',
    remedy: 'vocabulary.idTypes: a second unit type (2 wanted, 1 known)',
  });
});

test('of a list the first item is varied that may be', () => {
  const schema: Schema = { type: 'array', annotation: { varies: 'live=false' } };
  expect(variedIndex(schema, [{ live: true }, { live: false }, { live: false }])).toBe(1);
  expect(variedIndex(schema, [{ live: true }])).toBe(-1);
  expect(variedIndex({ type: 'array' }, [{ live: true }])).toBe(0);
});

describe('the schema at a place', () => {
  const narrow: Schema = { const: 'n' };
  const item: Schema = {
    type: 'object',
    properties: { mode: plain, subject: {} },
    additionalProperties: unit,
    allOf: [
      {
        if: { properties: { mode: { const: 'narrow' } }, required: ['mode'] },
        then: { properties: { subject: narrow } },
      },
    ],
  };
  const schema: Schema = { type: 'object', properties: { list: { type: 'array', items: item } } };
  const value = { list: [{ mode: 'wide' }, { mode: 'narrow' }] };

  test('is found through lists and objects, by the conditions that hold there', () => {
    expect(schemaAt(schema, value, '/list/0/mode')).toBe(plain);
    expect(schemaAt(schema, value, '/list/0/subject')).toEqual({});
    expect(schemaAt(schema, value, '/list/1/subject')).toBe(narrow);
    expect(schemaAt(schema, value, '/list/1/unnamed')).toBe(unit);
    expect(schemaAt(schema, value, '')).toBe(schema);
  });

  test('is none where the schema states none', () => {
    expect(schemaAt(schema, value, '/other')).toBe(undefined);
    expect(schemaAt(schema, value, '/list/0/mode/deeper')).toBe(undefined);
  });
});
