import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { everythingDeclared, nothingDeclared } from './capabilities.fixture.ts';
import { enumeratedOnce } from './enumerated-once.ts';

const schema = { type: 'object' } as const;

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
  expect(times()).toBe(1);
  enumerate({ type: 'object' }, { name: 'a' }, everythingDeclared);
  enumerate(schema, { name: 'b' }, everythingDeclared);
  enumerate(schema, { name: 'a' }, nothingDeclared);
  expect(times()).toBe(4);
});

test('only the last templates are remembered', () => {
  const { enumerate, times } = counting();
  for (let number = 0; number < 20; number += 1) enumerate(schema, { number }, everythingDeclared);
  enumerate(schema, { number: 19 }, everythingDeclared);
  expect(times()).toBe(20);
  enumerate(schema, { number: 0 }, everythingDeclared);
  expect(times()).toBe(21);
});
