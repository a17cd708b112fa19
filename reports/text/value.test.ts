import { expect, test } from 'vitest';
import { differenceText, valueText } from './finding-text.ts';

// biome-ignore format: a table
const values: readonly [value: unknown, text: string][] = [
  ['short',                   '"short"'],
  ['',                        '""'],
  [null,                      'null'],
  [0.999,                     '0.999'],
  [{ a: [1] },                '{"a":[1]}'],
  [undefined,                 'nothing'],
  ['a'.repeat(1001),          '"aaaaaaaaaaaaaaaaaaaa…" (1,001 characters)'],
  ['🎉'.repeat(61),           '"🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉…" (61 characters)'],
  [Array(50).fill(7),         `list of 50: [${'7,'.repeat(29)}7… (101 characters)`],
];

test.each(values)('value %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});

// biome-ignore format: a table
const differences: readonly [pointer: string, sent: unknown, control: unknown, text: string | undefined][] = [
  ['/description',    'a'.repeat(1001),      'a'.repeat(1000),        'description: 1,001 characters, its accepted control: 1,000 characters'],
  ['/name',           'ab',                  'abc',                   'name: "ab", its accepted control: "abc"'],
  ['/type',           'permanent',           'PERMANENT',             'type: "permanent", its accepted control: "PERMANENT"'],
  ['/groups/0/size',  101,                   100,                     'groups.0.size: 101, its accepted control: 100'],
  ['/a~1b/~0c',       1,                     2,                       'a/b.~c: 1, its accepted control: 2'],
  ['/sql',            undefined,             'SELECT 1',              'sql: left out, its accepted control: "SELECT 1"'],
  ['',                [],                    {},                      'the request: [], its accepted control: {}'],
  ['/flag',           null,                  true,                    'flag: null, its accepted control: true'],
  ['/flag',           1,                     undefined,               undefined],
  ['/text',           `${'a'.repeat(99)}b`,  'a'.repeat(100),         'text: "aaaaaaaaaaaaaaaaaaaa…" (100 characters), its accepted control: "aaaaaaaaaaaaaaaaaaaa…" (100 characters)'],
];

test.each(differences)('difference at "%s"', (pointer, sent, control, text) => {
  expect(differenceText({ path: '0', title: 'a case', pointer, sent, control })).toBe(text);
});
