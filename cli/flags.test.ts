import { expect, test } from 'vitest';
import { duration, gather, positive, shard, wholeNumber } from './flags.ts';

test.each([
  ['500ms', 500],
  ['2s', 2000],
  ['1.5s', 1500],
  ['10m', 600_000],
  ['1h', 3_600_000],
])('%s is %i milliseconds', (text, milliseconds) => {
  expect(duration(text)).toBe(milliseconds);
});

test.each(['', '5', 's', '-1s', '0s', '1 s', '1d', '1e3s', 'Infinitys'])('%j is no duration', text => {
  expect(() => duration(text)).toThrow('Give a duration');
});

test.each(['1', '256'])('%s is within 1 to 256', text => {
  expect(wholeNumber(1, 256)(text)).toBe(Number(text));
});

test.each(['0', '257', '1.5', '', ' 1', '1e2', '0x10', 'NaN', '-1'])('%j is not a whole number from 1 to 256', text => {
  expect(() => wholeNumber(1, 256)(text)).toThrow('Give a whole number from 1 to 256.');
});

test.each(['0.5', '1', '1e3'])('%s is above zero', text => {
  expect(positive(text)).toBe(Number(text));
});

test.each(['0', '-1', '', ' ', 'x', 'Infinity', 'NaN'])('%j is not above zero', text => {
  expect(() => positive(text)).toThrow('Give a number above 0.');
});

test.each([
  ['1/1', { index: 1, total: 1 }],
  ['3/9', { index: 3, total: 9 }],
])('%s is a shard', (text, expected) => {
  expect(shard(text)).toEqual(expected);
});

test.each(['', '0/3', '4/3', '1', '1/0', '1/', '-1/3', '1/3/5', 'a/b'])('%j is no shard', text => {
  expect(() => shard(text)).toThrow('Give a shard');
});

test('a flag given twice keeps both', () => {
  expect(gather('b', gather('a', []))).toEqual(['a', 'b']);
});
