import { expect, test } from 'vitest';
import { differingPart, markedDifference } from './finding-text.ts';

const text = ({ before, odd, after }: { before: string; odd: string; after: string }) => `${before}[${odd}]${after}`;

// biome-ignore format: a table
const cases: readonly [what: string, sent: unknown, control: unknown, marked: string, markedControl: string][] = [
  ['a sign in a text',        'a b', 'a_b',                         '"a[ ]b"',                       '"a[_]b"'],
  ['one character more',      'aaaa', 'aaa',                        '"aaa[a]"',                      '"aaa[]"'],
  ['another letter case',     'permanent', 'PERMANENT',             '"[permanent]"',                 '"[PERMANENT]"'],
  ['another type',            '1', 1,                               '["1"]',                         '[1]'],
  ['a number',                101, 100,                             '10[1]',                         '10[0]'],
  ['an item of an object',    { a: 1, b: 2 }, { a: 1, b: 3 },       '{"a":1,"b":[2]}',               '{"a":1,"b":[3]}'],
  ['half an emoji',           '🎉', '🎊',                            '"[🎉]"',                        '"[🎊]"'],
  ['a long text',             'x'.repeat(1001), 'x'.repeat(1000),   `…${'x'.repeat(24)}[x]"`,        `…${'x'.repeat(24)}[]"`],
];

test.each(cases)('%s', (_what, sent, control, marked, markedControl) => {
  const difference = markedDifference({ sent, control });
  expect(difference?.sent && text(difference.sent)).toBe(marked);
  expect(difference && text(difference.control)).toBe(markedControl);
});

test('a long difference is cut, and its length told', () => {
  const difference = markedDifference({ sent: 'y'.repeat(5_000), control: '' });
  expect(difference?.sent?.odd).toBe(`${'y'.repeat(160)}… (5,000 characters)`);
});

test('a field that was left out differs by the whole of its control', () => {
  expect(markedDifference({ control: 'a' })).toEqual({ control: { before: '', odd: '"a"', after: '' } });
  expect(markedDifference({ sent: 'a' })).toBeUndefined();
});

// biome-ignore format: a table
const parts: readonly [what: string, one: string, two: string, part: string | undefined][] = [
  ['one letter',              '"NEW_gate"',     '"NEw_gate"',     'w'],
  ['a sign more at the end',  '"The purchases."', '"The purchases.."', '.'],
  ['a sign less',             '"abcdef"',       '"abcef"',        'e'],
  ['nothing in common',       'a boolean',      '1 (a number)',   undefined],
];

test.each(parts)('of two texts the part that differs is told: %s', (_what, one, two, part) => {
  const found = differingPart(one, two);
  expect(found && two.slice(found.from, found.to)).toBe(part);
});
