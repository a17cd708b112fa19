import type { Json } from '../../contracts/json.ts';
import { longText } from './odd-texts.ts';

/** A member of a free-form object: what is odd about it, in words, its name and its value. */
export type FreeMember = readonly [what: string, name: string, value: Json];

/**
 * Members that break serialisers: by their name, by their value, or by both. All may stand in one object. A target may
 * do what it likes with `__proto__`, `constructor` and `prototype`, as long as it answers.
 */
// biome-ignore format: a table
export const freeMembers: readonly FreeMember[] = [
  ['a name in camel case',         'camelCase',     'a'],
  ['a name in snake case',         'snake_case',    'b'],
  ['a name with a hyphen',         'kebab-case',    'c'],
  ['a name with dots',             'dotted.name.x', 'd'],
  ['a name in upper case',         'UPPER',         'e'],
  ['a name with a capital',        'Capital',       'f'],
  ['names that differ in case',    'capital',       'g'],
  ['a numeric name',               '10',            'ten'],
  ['a smaller numeric name',       '2',             'two'],
  ['a name with a blank',          'with blank',    'h'],
  ['a name in another script',     'ключ 東',        'i'],
  ['a name with signs',            'a/b~c$d[0]',    'j'],
  ['a name that begins with $',    '$ref',          '#/k'],
  ['a name that begins with _',    '_id',           'l'],
  ['a name that objects have',     'toString',      'm'],
  ['the name length',              'length',        3],
  ['null',                         'isNull',        null],
  ['false',                        'isFalse',       false],
  ['zero',                         'zero',          0],
  ['an empty text',                'emptyText',     ''],
  ['an empty list',                'emptyList',     []],
  ['an empty object',              'emptyObject',   {}],
  ['empties within one another',   'nestedEmpties', { a: {}, b: [[], {}, [null]], c: { d: { e: [] } } }],
  ['a numeric text',               'numericText',   '42'],
  ['digits after zeros',           'zip',           '00701'],
  ['a decimal text',               'decimalText',   '1.50'],
  ['the text true',                'textTrue',      'true'],
  ['the text null',                'textNull',      'null'],
  ['a date',                       'date',          '2024-02-29'],
  ['a time with an offset',        'time',          '2024-02-29T23:59:59.999+02:00'],
  ['a sum in double precision',    'sum',           0.1 + 0.2],
  ['many decimals',                'decimals',      Math.PI],
  ['a very small number',          'small',         1.25e-7],
  ['a very large number',          'large',         1.5e21],
  ['a negative fraction',          'negative',      -1.5],
  ['an integer beyond 31 bits',    'beyond31',      2_147_483_648],
  ['an integer beyond 32 bits',    'beyond32',      4_294_967_297],
  ['an integer of 53 bits',        'bits53',        9_007_199_254_740_991],
  ['a negative integer of 53 bits', 'minus53',      -9_007_199_254_740_991],
  ['a milliseconds stamp',         'createdTime',   1_700_000_000_123],
  ['duplicates in a list',         'duplicates',    [1, 1, 2, 'a', 'a', null, null]],
  ['a list out of order',          'unsorted',      [3, 10, 1, 2]],
  ['a list of many types',         'mixed',         [1, '1', true, 'true', null, { a: 1 }, [2]]],
  ['objects in a list',            'objects',       [{ a: 1, b: null }, { b: 2 }, {}]],
  ['markup',                       'markup',        '<b>it\'s</b> & "so"'],
  ['several lines',                'lines',         'one\n\ttwo\r\nthree'],
  ['doubled blanks',               'blanks',        'two  blanks'],
  ['many scripts',                 'scripts',       'é e\u0301 🚀 東 שלום'],
  ['a template',                   'template',      '{{x}} \u0024{y} %s $1'],
  ['a text of 1000 characters',    'long',          longText(1000)],
  ['a long name',                  'n'.repeat(120), 'n'],
  ['eight levels',                 'deep',          { a: { b: { c: { d: { e: { f: { g: 'deep' } } } } } } }],
  ['the name constructor',         'constructor',   'o'],
  ['the name prototype',           'prototype',     { p: true }],
  ['the name __proto__',           '__proto__',     { q: true }],
  ['the name hasOwnProperty',      'hasOwnProperty', 'r'],
];
