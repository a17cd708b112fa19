import { expect, test } from 'vitest';
import type { Part } from '../../generators/index.ts';
import { givenAnswer } from '../../proof/testing/answers.ts';
import { takeApart } from './taken-apart.ts';

const names = Array.from({ length: 16 }, (_, index) => `field_${index}`);
const all = names.map(name => ({ field: { name, field: { pointer: `/${name}` } } }) as unknown as Part);
const nameOf = ({ field }: Part): string => field.name;

/** Takes the parts apart at a service that refuses some fields, in these words. Returns what it was sent. */
async function taken(bad: readonly string[], wordsOf: (refused: readonly string[]) => string, most = 24) {
  const sent: string[][] = [];
  const result = await takeApart(
    all,
    async parts => {
      const own = parts.map(nameOf);
      sent.push(own);
      const refused = own.filter(name => bad.includes(name));
      const value = { message: refused.length > 0 ? wordsOf(refused) : 'Done.' };
      return { answer: givenAnswer({ status: refused.length > 0 ? 400 : 200, value }), wrong: [] };
    },
    most,
  );
  return { sent, right: result.right.map(nameOf), refused: result.refused.map(nameOf) };
}

const bad = ['field_3', 'field_9', 'field_12'];
const sound = names.filter(name => !bad.includes(name));

test.each([
  ['all', (refused: readonly string[]) => refused.join(', ')],
  [
    'in another spelling',
    (refused: readonly string[]) => refused.map(name => name.replace('f', 'F').replace('_', '')).join(),
  ],
  ['the first alone', ([first]: readonly string[]) => `${first} is too large`],
])('what a refusal names is sent apart: %s', async (_what, wordsOf) => {
  const { sent, right, refused } = await taken(bad, wordsOf);
  expect(right).toEqual(sound);
  expect([...refused].sort()).toEqual([...bad].sort());
  expect(sent.length).toBeLessThanOrEqual(8);
});

test('a refusal that names nothing, or everything, is halved', async () => {
  for (const words of [() => 'no', () => names.join()]) {
    const { right, refused } = await taken(bad, words, 60);
    expect([...right].sort()).toEqual([...sound].sort());
    expect(refused).toEqual(bad);
  }
});

test('many fields that are refused by name leave enough for all others', async () => {
  const most = names.slice(2);
  const { right, sent } = await taken(most, refused => refused.join(), 4);
  expect([right, sent.length]).toEqual([['field_0', 'field_1'], 4]);
});
