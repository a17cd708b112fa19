import { expect, test } from 'vitest';
import { itemsOf, withCoverageMin } from './json-edit.ts';

// biome-ignore format: a table
test.each<readonly [what: string, before: string, after: string]>([
  ['takes the place of the old one',       '{\n  "coverage": {"min": 95.5},\n  "apiKey": "$KEY"\n}\n', '{\n  "coverage": {"min": 97.4},\n  "apiKey": "$KEY"\n}\n'],
  ['stands beside what is there',          '{ "coverage": {} }',                             '{ "coverage": { "min": 97.4 } }'],
  ['comes last, set apart as the others',  '{\n\t"baseUrl": "a",\n\t"naming": { "x": "}" }\n}', '{\n\t"baseUrl": "a",\n\t"naming": { "x": "}" },\n\t"coverage": { "min": 97.4 }\n}'],
  ['keeps line ends',                      '{\r\n  "a": [1, {"b": 2}]\r\n}\r\n',             '{\r\n  "a": [1, {"b": 2}],\r\n  "coverage": { "min": 97.4 }\r\n}\r\n'],
  ['fits on one line',                     '{"a":1}',                                        '{"a":1, "coverage": { "min": 97.4 }}'],
  ['is the whole of an empty file',        ' {}\n',                                          ' { "coverage": { "min": 97.4 } }\n'],
  ['is not the member of another object',  '{"x": {"coverage": {"min": 1}, "min": 2}}',      '{"x": {"coverage": {"min": 1}, "min": 2}, "coverage": { "min": 97.4 }}'],
  ['is found past quotes in names',        '{"a\\"b": "\\\\", "c\\u006fverage": {"min":1}}', '{"a\\"b": "\\\\", "c\\u006fverage": {"min":97.4}}'],
  ['counts as the last of several',        '{"coverage":{"min":1},"coverage":{"min":2}}',    '{"coverage":{"min":1},"coverage":{"min":97.4}}'],
])('the least coverage %s', (_what, before, after) => {
  expect(withCoverageMin(before, 97.4)).toBe(after);
  expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), coverage: { ...JSON.parse(before).coverage, min: 97.4 } });
});

test('the items of an array are found, whatever stands in them', () => {
  const items = ['{"a":"]},{"}', '[1,[2]]', '3', '"x"'];
  const text = `{ "b": [9], "known": [ ${items.join(' ,\n')} ] }`;
  expect(itemsOf(text, 'known').map(({ start, end }) => text.slice(start, end))).toEqual(items);
  for (const other of ['{}', '{"known":[]}', '{"known":3}']) expect(itemsOf(other, 'known')).toEqual([]);
});
