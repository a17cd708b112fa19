import { describe, expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import type { Level } from '../../contracts/report/journal.ts';
import { nothingDeclared } from './capabilities.fixture.ts';
import { acceptanceLevel } from './levels.ts';

type Row = readonly [what: string, level: Level, schema: Schema, value: Json, current?: Json];

const text: Schema = { type: 'string' };
const word: Schema = { type: 'string', pattern: '^[a-z]*$' };
const list: Schema = { type: 'array', items: { type: 'integer', minimum: 0 } };
const pair: Schema = { type: 'object', properties: { a: text, b: text }, required: ['a'] };
const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`m${index}`, 'x']));
const wide: Schema = { type: 'object', properties: Object.fromEntries(Object.keys(many).map(name => [name, text])) };
const letters = (count: number): string => 'x'.repeat(count);
const reference: Schema = { type: 'string', annotation: { semantics: 'reference', refersTo: 'gate' } };
const groups: Schema = {
  type: 'array',
  annotation: { formatHint: 'groups' },
  items: { type: 'object', properties: { name: text, size: { type: 'number', minimum: 0, maximum: 100 } } },
};
const [control, other] = [
  { name: 'A', size: 50 },
  { name: 'B', size: 50 },
];

// biome-ignore format: a table
const rows: readonly Row[] = [
  ['what the template has',                  'MUST',   { type: 'number' }, -1e9, -1e9],
  ['an example',                             'MUST',   { type: 'number', annotation: { examples: [-3] } }, -3],
  ['a documented null',                      'MUST',   { type: ['string', 'null'] }, null],

  ['a member of a closed set',               'MUST',   { enum: ['a', 'b'] }, 'b'],
  ['a member beyond the examples',           'SHOULD', { enum: ['a', 'b'], annotation: { examples: ['a'] } }, 'b'],
  ['a constant',                             'MUST',   { const: 'a' }, 'a'],
  ['a boolean',                              'MUST',   { type: 'boolean' }, false],
  ['a value of which nothing is stated',     'SHOULD', {}, 'anything'],
  ['a name, though nothing more is stated',  'MUST',   { annotation: { refersTo: 'gate' } }, 'a_gate'],

  ['what is uncertain',                      'SHOULD', { ...text, annotation: { uncertain: true } }, 'plain'],
  ['null of what is uncertain',              'MUST',   { type: ['string', 'null'], annotation: { uncertain: true } }, null],
  ['a value that is uncertain',              'SHOULD', { enum: ['a', 'b'], annotation: { uncertain: ['a'] } }, 'a'],
  ['a value beside one that is uncertain',   'MUST',   { enum: ['a', 'b'], annotation: { uncertain: ['a'] } }, 'b'],
  ['as many items as are certain',           'MUST',   { ...list, annotation: { certainItems: 2 } }, [1, 2]],
  ['more items than are certain',            'SHOULD', { ...list, annotation: { certainItems: 2 } }, [1, 2, 3]],

  ['an unremarkable text',                   'MUST',   text, 'An ordinary text, of 2 parts.'],
  ['a text of 200 characters',               'MUST',   text, letters(200)],
  ['a longer text where no bound is stated', 'SHOULD', text, letters(201)],
  ['a text up to its bound',                 'MUST',   { type: 'string', maxLength: 300 }, letters(300)],
  ['a text of another script',               'SHOULD', text, 'Łódź 東京'],
  ['letters of another script up to their bound', 'MUST', { type: 'string', maxLength: 7 }, 'Łódź 東京'],
  ['signs beyond ASCII up to their bound',   'SHOULD', { type: 'string', maxLength: 7 }, 'Łódź №5'],
  ['beyond the basic plane, up to its bound', 'SHOULD', { type: 'string', maxLength: 3 }, 'ab𝒜'],
  ['white space at the end',                 'SHOULD', text, 'apart '],
  ['the empty text',                         'SHOULD', text, ''],
  ['the empty text, where length 0 is stated', 'MUST', { type: 'string', minLength: 0 }, ''],
  ['a text of the pattern',                  'MUST',   word, 'abc'],
  ['a text of the pattern, 201 long',        'SHOULD', word, letters(201)],
  ['a text of the pattern up to its bound',  'MUST',   { type: 'string', pattern: '^[a-z]*$', maxLength: 300 }, letters(300)],
  ['a text where only some make sense',      'SHOULD', { type: 'string', annotation: { formatHint: 'url' } }, 'no address'],
  ['a name that exists',                     'MUST',   reference, ' odd\u00a0name '],

  ['the least number',                       'MUST',   { type: 'number', minimum: 3 }, 3],
  ['the greatest number',                    'MUST',   { type: 'number', maximum: 3 }, 3],
  ['a number between bounds',                'MUST',   { type: 'number', minimum: 0, maximum: 1e6 }, 4321],
  ['a number near its least',                'MUST',   { type: 'integer', minimum: 10 }, 100],
  ['a number far from its least',            'SHOULD', { type: 'integer', minimum: 10 }, 101],
  ['a number below a greatest alone',        'SHOULD', { type: 'integer', maximum: 1000 }, 900],
  ['a number without bounds',                'SHOULD', { type: 'number' }, 365],

  ['an empty list',                          'SHOULD', list, []],
  ['an empty list, where 0 items are stated', 'MUST',  { type: 'array', items: text, minItems: 0 }, []],
  ['a list of five',                         'MUST',   list, [1, 2, 3, 4, 5]],
  ['a list of six',                          'SHOULD', list, [1, 2, 3, 4, 5, 6]],
  ['a list of six, where more are stated',   'MUST',   { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 9 }, [1, 2, 3, 4, 5, 6]],
  ['a list of six, the least there may be',  'MUST',   { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 6 }, [1, 2, 3, 4, 5, 6]],
  ['a list of anything',                     'SHOULD', { type: 'array' }, [1]],
  ['an item twice',                          'SHOULD', list, [1, 1]],
  ['an item twice, to reach a bound',        'MUST',   { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 2 }, [1, 1]],
  ['an item that is a SHOULD, the last',     'SHOULD', list, [1, 1000]],
  ['an item that the template has there',    'MUST',   list, [1, 1000], [7, 1000]],

  ['an object with all it should have',      'MUST',   pair, { a: 'x', b: 'y' }],
  ['an object without what may be left out', 'SHOULD', pair, { a: 'x' }],
  ['what the template leaves out, left out', 'MUST',   pair, { a: 'x' }, { a: 'z' }],
  ['what the template has, left out',        'SHOULD', pair, { a: 'x' }, { a: 'z', b: 'y' }],
  ['a member that is a SHOULD',              'SHOULD', pair, { a: ' ', b: 'y' }],
  ['ten optional members at once',           'SHOULD', wide, many],
  ['ten members that the template has',      'MUST',   wide, many, { ...many, m0: 'y' }],
  ['a free-form object of plain members',    'MUST',   { type: 'object' }, { color: 'blue' }],
  ['a free-form object with an odd name',    'SHOULD', { type: 'object' }, { 'a/b': 'blue' }],
  ['a free-form object within another',      'SHOULD', { type: 'object' }, { color: { light: 'blue' } }],

  ['a value that one alternative must take', 'MUST',   { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, true],
  ['one for which that alternative is not',  'SHOULD', { anyOf: [{ type: 'boolean' }, { type: 'number' }] }, 365],
  ['null, an alternative',                   'MUST',   { anyOf: [text, { type: 'null' }] }, null],
  ['an integer, an alternative',             'MUST',   { anyOf: [{ type: 'integer', minimum: 0 }, text] }, 7],
  ['a member of a set, an alternative',      'MUST',   { anyOf: [{ enum: ['a'] }, { type: 'number' }] }, 'a'],

  ['groups of whole shares',                 'MUST',   groups, [control, other]],
  ['groups of broken shares',                'SHOULD', groups, [{ ...control, size: 50.5 }, { ...other, size: 49.5 }]],
  ['groups with another share than before',  'SHOULD', groups, [{ ...control, size: 40 }, { ...other, size: 60 }], [control, other]],
  ['a group by another name',                'SHOULD', groups, [control, { ...other, name: 'C' }], [control, other]],
  ['groups in another order',                'SHOULD', groups, [{ ...other, size: 50 }, { ...control, size: 50 }], [{ ...control, size: 50 }, { ...other, size: 50 }]],
];

describe('the level of', () => {
  for (const [what, level, schema, value, current] of rows)
    test(`${what} is ${level}`, () => {
      expect(acceptanceLevel(schema, value, { capabilities: nothingDeclared, root: {} }, current)).toBe(level);
    });
});
