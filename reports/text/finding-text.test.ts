import { expect, test } from 'vitest';
import { boundedBody } from './finding-text.ts';

const shown = (text: string, truncated = false) => {
  const evidence = { text, bytes: Buffer.byteLength(text), truncated };
  const { body, note } = boundedBody(evidence, { lines: 20, columns: 60, empty: '(empty)' });
  return [...body, ...(note === undefined ? [] : [note])];
};

test('a body is bounded in height and width', () => {
  const tall = shown(JSON.stringify(Array.from({ length: 500 }, (_, index) => index)));
  expect(tall).toHaveLength(21);
  expect(tall.at(-1)).toMatch(/^… \([\d,]+ bytes in all\)$/);
  expect(shown(`{"a":"${'x'.repeat(9_000)}"}`).every(line => line.length < 90)).toBe(true);
});

test('an empty body and a cut one say so', () => {
  expect(shown('')).toEqual(['(empty)']);
  expect(shown('{"a":1', true)).toContain('… (6 bytes in all)');
});
