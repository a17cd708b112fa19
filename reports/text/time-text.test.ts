import { expect, test } from 'vitest';
import { timeText } from './time-text.ts';

test.each([
  [0, '0ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [90_000, '1m30s'],
  [600_000, '10m'],
  [7_200_000, '2h'],
  [3_661_500, '1h1m1s'],
])('%i ms is %s', (milliseconds, text) => {
  expect(timeText(milliseconds)).toBe(text);
});
