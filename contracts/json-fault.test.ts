import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJson } from './json.ts';
import { faultIn, faultPlace } from './json-fault.ts';

// biome-ignore format: a table
test.each([
  ['a word',                     '{"a":sk-secret}',          'line 1, column 6'],
  ['a comma at the end',         '{\n  "a": 1,\n}',          'line 3, column 1'],
  ['a comma too few',            '{\n  "a": 1\n  "b": 2 }',  'line 3, column 3'],
  ['a text that is not closed',  '{"a":"sk-secret',          'it ends too early'],
  ['a line end within a text',   '{"a":"sk\n"}',             'line 1, column 9'],
  ['an escape that is none',     '["\\x"]',                  'line 1, column 2'],
  ['a name without quotes',      '{a: 1}',                   'line 1, column 2'],
  ['a number of two zeros',      '[00]',                     'line 1, column 3'],
  ['something behind the end',   '{} {}',                    'line 1, column 4'],
  ['another bracket',            '[1}',                      'line 1, column 3'],
  ['nothing',                    ' \n',                      'it ends too early'],
])('%s is found', (_what, text, place) => {
  expect(isJson(text)).toBe(false);
  expect(faultPlace(text)).toBe(place);
});

test('there is a fault in what the parser refuses, and in nothing else', () => {
  const changed = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(60), fc.nat(2), fc.constantFrom('', ...'{}[],:"\\0-1e.tnu\n \u0007'))
    .map(([text, at, gone, sign]) => text.slice(0, at) + sign + text.slice(at + gone));
  fc.assert(
    fc.property(changed, text => {
      expect(faultIn(text) === undefined).toBe(isJson(text));
    }),
    { seed: 7, numRuns: 3_000 },
  );
});

test('what is nested deeper than the parser can follow is told, and nothing is thrown', () => {
  expect(faultPlace(`${'['.repeat(200_000)}x`)).toBe('it ends too early');
});
