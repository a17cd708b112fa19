import { expect, test } from 'vitest';
import { withoutNumbers, withoutParts, wordProblem } from './prove-words.ts';

const problemOf = (...words: string[]): string | null =>
  wordProblem(words, ['races', 'kills'], ['--changed', '--help']);

test('names and flags that there are can be followed, and so can none', () => {
  expect(problemOf()).toBeNull();
  expect(problemOf('kills', '--changed')).toBeNull();
});

test('of what there is not, one line says what there is', () => {
  expect(problemOf('kils')).toBe('there is no proof kils; there are races, kills');
  expect(problemOf('--change')).toBe('there is no flag --change; there are --changed, --help');
  expect(problemOf('--change', 'all')).toBe('there is no proof --change, all; there are races, kills');
});

test('numbers are taken with their flags; a flag without one stays a word', () => {
  const numbers = (...words: string[]) => withoutNumbers(words, ['--seed', '--count']);
  expect(numbers('kills', '--seed', '2', '--changed')).toEqual({
    words: ['kills', '--changed'],
    given: { '--seed': 2 },
  });
  expect(numbers('--count', 'kills')).toEqual({ words: ['--count', 'kills'], given: {} });
});

test('parts are taken from the names of their proof; beside the whole there are none', () => {
  const parts = (...words: string[]) => withoutParts(words, 'kills');
  expect(parts('races', 'kills:a/1', 'kills:b')).toEqual({ words: ['races', 'kills', 'kills'], parts: ['a/1', 'b'] });
  expect(parts('kills', 'kills:a')).toEqual({ words: ['kills', 'kills'], parts: [] });
  expect(parts('races:a')).toEqual({ words: ['races:a'], parts: [] });
});
