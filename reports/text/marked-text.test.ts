import { expect, test } from 'vitest';
import { markedLines } from './finding-text.ts';
import { paint } from './page.ts';

const compared = { text: '/data/name: "NEw_gate"', own: '"NEw_gate"', other: '"NEW_gate"', style: 'bad' } as const;

test('the part that differs is marked by colour, and under one line by signs as well', () => {
  const lines = markedLines(compared, 60, true);
  expect(paint(lines, false)).toBe('/data/name: "NEw_gate"\n               ^\n');
  expect(lines[0]).toContainEqual({ text: 'w', style: 'bad-mark' });
  expect(paint(lines, true)).toContain('\u001b[7m');
});

test('what takes several lines is marked by colour alone, where the part lies', () => {
  const own = '"alpha beta gamma delta epsilom"';
  const lines = markedLines({ text: own, own, other: '"alpha beta gamma delta epsilon"', style: 'good' }, 14, true);
  expect(paint(lines, false)).toBe('"alpha beta\ngamma delta\nepsilom"\n');
  expect(lines.flat().filter(span => typeof span !== 'string' && span.style === 'good-mark')).toEqual([
    { text: 'm', style: 'good-mark' },
  ]);
});

test.each([
  ['nothing in common', { ...compared, other: 'a boolean' }],
  ['a character that is written out', { ...compared, text: '"NE\u202ew_gate"', own: '"NE\u202ew_gate"' }],
  ['a character that may be two columns wide', { ...compared, text: '"門w_gate"', own: '"門w_gate"' }],
])('%s: nothing is marked', (_what, one) => {
  const lines = markedLines(one, 60, true);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('bad-mark');
});
