import { expect, test } from 'vitest';
import { differenceText, valueText } from './value.ts';

// biome-ignore format: a table
const values: readonly [value: unknown, text: string][] = [
  ['short',                   '"short"'],
  ['',                        '""'],
  [null,                      'null'],
  [0.999,                     '0.999'],
  [{ a: [1] },                '{"a":[1]}'],
  [undefined,                 'nothing'],
  ['a'.repeat(1001),          '"aaaaaaaaaaaaaaaaaaaa…" (1001 characters)'],
  ['🎉'.repeat(61),           '"🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉…" (61 characters)'],
  [Array(50).fill(7),         `list of 50: [${'7,'.repeat(29)}7… (101 characters)`],
];

test.each(values)('value %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});

// biome-ignore format: a table
const differences: readonly [pointer: string, sent: unknown, twin: unknown, text: string | undefined][] = [
  ['/description',    'a'.repeat(1001),      'a'.repeat(1000),        'description: 1001 characters, its accepted twin: 1000 characters'],
  ['/name',           'ab',                  'abc',                   'name: "ab", its accepted twin: "abc"'],
  ['/type',           'permanent',           'PERMANENT',             'type: "permanent", its accepted twin: "PERMANENT"'],
  ['/groups/0/size',  101,                   100,                     'groups.0.size: 101, its accepted twin: 100'],
  ['/a~1b/~0c',       1,                     2,                       'a/b.~c: 1, its accepted twin: 2'],
  ['/sql',            undefined,             'SELECT 1',              'sql: left out, its accepted twin: "SELECT 1"'],
  ['',                [],                    {},                      'the request: [], its accepted twin: {}'],
  ['/flag',           null,                  true,                    'flag: null, its accepted twin: true'],
  ['/flag',           1,                     undefined,               undefined],
  ['/text',           `${'a'.repeat(99)}b`,  'a'.repeat(100),         'text: "aaaaaaaaaaaaaaaaaaaa…" (100 characters), its accepted twin: "aaaaaaaaaaaaaaaaaaaa…" (100 characters)'],
];

test.each(differences)('difference at "%s"', (pointer, sent, twin, text) => {
  expect(differenceText({ path: '0', title: 'a case', pointer, sent, twin })).toBe(text);
});
