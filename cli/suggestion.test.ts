import { expect, test } from 'vitest';
import { didYouMean } from './suggestion.ts';

test('names three at most, the nearest first, each once', () => {
  expect(didYouMean('aaab', ['aaac', 'aaaa', 'aaad', 'aaae', 'aaac'])).toBe('; did you mean aaac or aaaa or aaad?');
  expect(didYouMean('dialect', ['faults', 'dialects'])).toBe('; did you mean dialects?');
});
