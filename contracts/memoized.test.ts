import { expect, test } from 'vitest';
import { knownTexts, lastResults, memoized } from './memoized.ts';

test('a result is made once for each argument', () => {
  let made = 0;
  const of = memoized((_: object) => {
    made += 1;
    return { number: made };
  });
  const [one, other] = [{}, {}];
  expect([of(one), of(other), of(one)]).toEqual([{ number: 1 }, { number: 2 }, { number: 1 }]);
});

test('of results the ones that were asked for last are remembered, one that is undefined too', () => {
  const made: string[] = [];
  const result = lastResults<undefined>(2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) result(key, () => void made.push(key));
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('texts are known until they have more characters together than are remembered', () => {
  const texts = knownTexts(100);
  texts.add('x'.repeat(11));
  expect(texts.has('x'.repeat(11))).toBe(false);
  for (let letter = 0; letter < 10; letter += 1) texts.add(String(letter).repeat(10));
  expect(texts.has('0'.repeat(10))).toBe(true);
  texts.add('a');
  expect([texts.has('0'.repeat(10)), texts.has('a')]).toEqual([false, true]);
  texts.clear();
  expect(texts.has('a')).toBe(false);
  // After clearing, there is room for as many again.
  for (let letter = 0; letter < 10; letter += 1) texts.add(String(letter).repeat(10));
  expect(texts.has('0'.repeat(10))).toBe(true);
});
