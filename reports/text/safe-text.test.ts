import { expect, test } from 'vitest';
import { isUnshowable, safeText } from './safe-text.ts';

// biome-ignore format: a table
const cases: readonly [what: string, text: string, shown: string][] = [
  ['plain text',                'a gate named "x"',       'a gate named "x"'],
  ['letters of the world',      'Größe 値 مرحبا é',        'Größe 値 مرحبا é'],
  ['an emoji',                  'ok 🎉',                  'ok 🎉'],
  ['a colour sequence',         '\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
  ['a one-character sequence',  '\u009b2J',               '\\u{9b}2J'],
  ['a window title',            '\u001b]0;owned\u0007',   '\\u{1b}]0;owned\\u{7}'],
  ['line ends',                 'a\r\nb\u2028c\u0085d',   'a\\u{d}\\u{a}b\\u{2028}c\\u{85}d'],
  ['NUL and DEL',               'a\u0000b\u007fc',        'a\\u{0}b\\u{7f}c'],
  ['a right-to-left override',  'safe\u202egnp.exe',      'safe\\u{202e}gnp.exe'],
  ['isolates and marks',        '\u2066a\u2069\u200f\u061c', '\\u{2066}a\\u{2069}\\u{200f}\\u{61c}'],
  ['zero width',                'a\u200bb\ufeffc\u2060d', 'a\\u{200b}b\\u{feff}c\\u{2060}d'],
  ['a tag character',           'a\u{e0041}b',            'a\\u{e0041}b'],
  ['fillers',                   'a\u3164b\uffa0c\u115fd',   'a\\u{3164}b\\u{ffa0}c\\u{115f}d'],
  ['selectors of variants',     'a\ufe01b\u{e0100}c',       'a\\u{fe01}b\\u{e0100}c'],
  ['an emoji with its variant', 'I ❤️ it',                 'I ❤️ it'],
  ['the Kelvin sign',           'name\u212ax',            'name\\u{212a}x'],
  ['an accent apart',           'cafe\u0301 menu',        'cafe\\u{301} menu'],
  ['an accent alone',           '\u0301 menu',            '\\u{301} menu'],
  ['an accent composed',        'caf\u00e9 menu',         'caf\u00e9 menu'],
  ['a Korean syllable apart',   '\u1112\u1161\u11ab',     '\u1112\\u{1161}\\u{11ab}'],
  ['a Cyrillic letter in a word of ASCII', 'n\u0430me',   'n\\u{430}me'],
  ['a Cyrillic word',           'name \u0438\u043c\u044f \u0430', 'name \u0438\u043c\u044f \u0430'],
  ['full width in a word of ASCII', 'n\uff41me\uff11',     'n\\u{ff41}me\\u{ff11}'],
  ['full width alone',          '\uff21\uff22',           '\uff21\uff22'],
  ['a blank that does not break', 'a\u00a0b',             'a\\u{a0}b'],
  ['a small two',               'm\u00b2',                'm\u00b2'],
  ['a lone high surrogate',     'a\ud83dz',               'a\\u{d83d}z'],
  ['a lone low surrogate',      'a\ude00z',               'a\\u{de00}z'],
];

test.each(cases)('%s', (_what, text, shown) => {
  expect(safeText(text)).toBe(shown);
  expect(isUnshowable(text)).toBe(text !== shown);
});

test('a word of another script may be as long as a body', () => {
  const word = '値'.repeat(60_000);
  expect(safeText(word, Number.POSITIVE_INFINITY)).toBe(word);
  expect(safeText(`${word}\u0430x`, Number.POSITIVE_INFINITY)).toBe(`${word}\\u{430}x`);
}, 30_000);

test('is cut by characters, never through the middle of one', () => {
  expect(safeText('🎉'.repeat(5), 5)).toBe('🎉'.repeat(5));
  expect(safeText('🎉'.repeat(6), 5)).toBe(`${'🎉'.repeat(5)}… (6 characters)`);
  expect(safeText('x'.repeat(10_000)).length).toBeLessThan(4_100);
});
