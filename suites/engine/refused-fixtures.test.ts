import { expect, test } from 'vitest';
import type { Json } from '../../contracts/json.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { createRefusedFixtures } from './refused-fixtures.ts';

type Sent = readonly [param: string, status: number, sent?: Json, request?: Partial<ApiRequest>];

const told = (...all: readonly Sent[]): readonly string[] => {
  const observer = createRefusedFixtures(() => ['gate_a', 'gate_b', 'gate_c']);
  for (const [param, status, sent = {}, request] of all)
    observer.note(givenAnswer({ endpoint: 'patch-gate', status, sent, request: { param, ...request } }));
  return observer.all().map(({ text }) => text);
};

test('tells the fixtures of which no valid request is accepted, together where the reason is the same', () => {
  const because = 'refused every valid request about gate_b, gate_c (status 400), and took those about others';
  expect(told(['gate_a', 200], ['gate_b', 400], ['gate_c', 400])).toEqual([`patch-gate ${because}`]);
  expect(told(['gate_a', 200], ['gate_b', 400], ['gate_c', 404], ['gate_c', 404])).toHaveLength(2);
  // In whichever order the answers come.
  const [first, second] = [
    ['gate_b', 400],
    ['gate_b', 404],
  ] as const;
  expect(told(['gate_a', 200], first, second)).toEqual(told(second, first, ['gate_a', 200]));
});

// biome-ignore format: a table
test.each<readonly [what: string, all: readonly Sent[]]>([
  ['one that was accepted once',                   [['gate_a', 200], ['gate_b', 400], ['gate_b', 200]]],
  ['one where nothing else is accepted',           [['gate_a', 400], ['gate_b', 400]]],
  ['one that was refused once for circumstances',  [['gate_a', 200], ['gate_b', 409]]],
  ['one that was sent what must be refused',       [['gate_a', 200], ['gate_b', 400, { description: 1 }]]],
  ['one that was asked for without the key',       [['gate_a', 200], ['gate_b', 401, {}, { key: { kind: 'none' } }]]],
  ['one of which the server fails',                [['gate_a', 200], ['gate_b', 500]]],
  ['what is no fixture',                           [['gate_a', 200], ['another', 404], ['another', 404]]],
  ['one where only what is no fixture is accepted', [['another', 200], ['gate_b', 400]]],
])('says nothing of %s', (_what, all) => {
  expect(told(...all)).toEqual([]);
});
