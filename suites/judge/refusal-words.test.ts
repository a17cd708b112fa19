import { expect, test } from 'vitest';
import type { Answer } from '../protocol/answer.ts';
import { refusalInWords } from './refusal-words.ts';

const refusal = (value: unknown) => ({ status: 402, value, reply: { failure: null } }) as unknown as Answer;

test.each<[unknown, string]>([
  [{ message: 'Your plan allows 60 metrics' }, 'status 402: "Your plan allows 60 metrics"'],
  [{ error: { code: 'E1', message: 'Review\npending' } }, 'status 402: "Review pending"'],
  [{ type: 'about:blank', title: 'Locked', detail: 'The gate is locked' }, 'status 402: "The gate is locked"'],
  [{ errors: [{ message: 'name is taken' }] }, 'status 402: "name is taken"'],
  ['no', 'status 402: "no"'],
  [{}, 'status 402'],
  [undefined, 'status 402'],
])('%j is said as %s', (value, words) => {
  expect(refusalInWords(refusal(value))).toBe(words);
});

test('a long reason is cut', () => {
  expect(refusalInWords(refusal({ message: 'x'.repeat(500) })).length).toBeLessThan(150);
});
