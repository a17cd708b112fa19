import { expect, test } from 'vitest';
import { differBeyondAscii } from './beyond-ascii.ts';

const text = 'A é 🚀 e\u0301 Ω東 שלום end';

// biome-ignore format: a table
test.each<[what: string, expected: unknown, got: unknown, isSo: boolean]>([
  ['UTF-8 that was read as Latin-1',        text,               Buffer.from(text).toString('latin1'), true],
  ['question marks',                        text,               'A ? ?? e? ?? ???? end',         true],
  ['characters that are gone',              text,               'A   e   end',                       true],
  ['marks that are gone',                   'Łódź à la carte',  'Łodź a la carte',                   true],
  ['marks that were joined to their letter', 'caf e\u0301 x',   'caf é x',                           true],
  ['escapes',                               'a é',              'a \\u00e9',                         true],
  ['one text within another value',         { a: [text, 1] },   { a: ['A ? ?? e? ?? ???? end', 1] }, true],
  ['the same text',                         text,               text,                                false],
  ['another text',                          '東京',             'Tokyo',                             false],
  ['another text beside it',                text,               'B ? ?? e? ?? ???? end',             false],
  ['a text that is cut',                    text,               'A é 🚀',                            false],
  ['texts of ASCII',                        'a?',               'a',                                 false],
  ['nothing',                               text,               undefined,                           false],
  ['another case',                          'Ünter Den',        'ünter den',                         false],
])('%s', (_, expected, got, isSo) => {
  expect(differBeyondAscii(expected, got)).toBe(isSo);
});
