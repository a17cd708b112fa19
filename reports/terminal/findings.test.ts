import { expect, test } from 'vitest';
import { paint } from '../text/page.ts';
import { bodyLines } from './findings.ts';

const shown = (text: string, truncated = false) =>
  paint(bodyLines({ text, bytes: Buffer.byteLength(text), truncated }, 60), false).split('\n');

test('a body is bounded in height and width', () => {
  const tall = shown(JSON.stringify(Array.from({ length: 500 }, (_, index) => index)));
  expect(tall).toHaveLength(22);
  expect(tall.at(-2)).toMatch(/^… \(\d+ bytes in all\)$/);
  expect(shown(`{"a":"${'x'.repeat(9_000)}"}`).every(line => line.length < 90)).toBe(true);
});

test('an empty body and a cut one say so', () => {
  expect(shown('')).toEqual(['(empty)', '']);
  expect(shown('{"a":1', true)).toContain('… (6 bytes in all)');
});
