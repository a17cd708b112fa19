import { expect, test } from 'vitest';
import type { Answer } from '../protocol/answer.ts';
import { refusalInWords, refusalReason } from './refusal-words.ts';

const refusal = (value: unknown) => ({ status: 402, value, reply: { failure: null } }) as unknown as Answer;

test.each<[unknown, string]>([
  [{ message: 'Your plan allows 60 metrics' }, 'status 402: "Your plan allows 60 metrics"'],
  [{ error: { code: 'E1', message: 'Review\npending' } }, 'status 402: "Review pending"'],
  [{ type: 'about:blank', title: 'Locked', detail: 'The gate is locked' }, 'status 402: "The gate is locked"'],
  [{ errors: [{ message: 'name is taken' }] }, 'status 402: "name is taken"'],
  [
    { message: 'Invalid', details: ['team and teamID disagree', 'b'] },
    'status 402: "Invalid", "team and teamID disagree"',
  ],
  [
    { error: { message: 'Invalid', details: [{ field: 'x', message: 'is\ntoo short' }] } },
    'status 402: "Invalid", "is too short"',
  ],
  [{ message: 'Invalid', errors: { name: ['is taken'] } }, 'status 402: "Invalid", "name: is taken"'],
  [{ message: 'Invalid', errors: { a: {}, name: 'is taken' } }, 'status 402: "Invalid", "name: is taken"'],
  [{ message: 'Invalid', errors: { name: { message: 'is taken' } } }, 'status 402: "Invalid", "is taken"'],
  [{ message: 'name is taken', errors: [{ message: 'name is taken' }] }, 'status 402: "name is taken"'],
  [{ message: 'Invalid', details: { code: 7 } }, 'status 402: "Invalid"'],
  ['no', 'status 402: "no"'],
  [{}, 'status 402'],
  [undefined, 'status 402'],
])('%j is said as %s', (value, words) => {
  expect(refusalInWords(refusal(value))).toBe(words);
});

test('a long reason is cut', () => {
  expect(refusalInWords(refusal({ message: 'x'.repeat(500) })).length).toBeLessThan(150);
  const both = refusal({ message: 'x'.repeat(500), details: ['y'.repeat(500)] });
  expect(refusalInWords(both).length).toBeLessThan(280);
});

test('refusals for one reason are alike, whatever their details', () => {
  const of = (name: string) => refusalReason(refusal({ message: 'Invalid', details: [`${name} is taken`] }));
  expect([of('a'), of('b')]).toEqual(['status 402: "Invalid"', 'status 402: "Invalid"']);
});
