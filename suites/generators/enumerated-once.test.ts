import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { everythingDeclared, nothingDeclared } from './capabilities.fixture.ts';
import { enumeratedOnce } from './enumerated-once.ts';

const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;

function counting() {
  let times = 0;
  const enumerate = enumeratedOnce((_, template: JsonObject) => {
    times += 1;
    return { template };
  });
  return { enumerate, times: () => times };
}

test('what is alike is made once, and what differs in schema, template or target is made anew', () => {
  const { enumerate, times } = counting();
  const first = enumerate(schema, { name: 'a' }, everythingDeclared);
  expect(enumerate(schema, { name: 'a' }, everythingDeclared)).toBe(first);
  expect(enumerate(schema, { name: 'a' }, { ...everythingDeclared })).toBe(first);
  expect(times()).toBe(1);
  enumerate({ type: 'object' }, { name: 'a' }, everythingDeclared);
  enumerate(schema, { name: 'b' }, everythingDeclared);
  enumerate(schema, { name: 'a' }, nothingDeclared);
  expect(times()).toBe(4);
});

test('targets are alike only where they tell the same of their words, what was learned, features and fields', () => {
  const { enumerate, times } = counting();
  const word = { kind: 'teams', value: 'a team', origin: 'list-segments' } as const;
  const alike = [
    everythingDeclared,
    { ...everythingDeclared, references: () => ['a word'] },
    { ...everythingDeclared, learned: () => [{ what: 'team', value: 'a team', word }] },
    {
      ...everythingDeclared,
      learned: () => [{ what: 'team', value: 'a team', word: { ...word, refusedBy: ['a/b'] } }],
    },
    { ...everythingDeclared, has: () => false },
    { ...everythingDeclared, withheld: (field: string) => (field === 'name' ? 'it cannot be put back' : undefined) },
  ];
  const made = alike.map(target => enumerate(schema, {}, target));
  expect(times()).toBe(alike.length);
  expect(alike.map(target => enumerate(schema, {}, { ...target }))).toEqual(made);
  expect(times()).toBe(alike.length);
});

test('only the results that were asked for last are remembered', () => {
  const { enumerate, times } = counting();
  for (let number = 0; number < 20; number += 1) enumerate(schema, { number }, everythingDeclared);
  enumerate(schema, { number: 13 }, everythingDeclared);
  enumerate(schema, { number: 19 }, everythingDeclared);
  expect(times()).toBe(20);
  for (const number of [20, 21, 13]) enumerate(schema, { number }, everythingDeclared);
  expect(times()).toBe(22);
  enumerate(schema, { number: 14 }, everythingDeclared);
  expect(times()).toBe(23);
});
