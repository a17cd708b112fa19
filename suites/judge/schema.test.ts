import { expect, test } from 'vitest';
import { endpointRow, endpoints } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { answerRequirement, bodyRequirement, keepsSchema } from './schema.ts';

test('a place in a body, and in an answer, falls under the field on the way to it', () => {
  expect(bodyRequirement(endpointRow('patch-gate'), '/name')).toBe('gate.name');
  expect(bodyRequirement(endpointRow('create-metric'), '/metricEvents/0/type')).toBe('metricEvent.type');
  expect(answerRequirement('patch-gate', '/data/holdoutIDs/3')).toBe('gate.holdoutIDs');
  expect(answerRequirement('list-segments', '/pagination/totalItems')).toBe('pagination.totalItems');
  expect(() => bodyRequirement(endpointRow('disable-gate'), '/name')).toThrow('has no body');
});

test.each<readonly [sent: Json | undefined, keeps: boolean]>([
  [{}, true],
  [{ isEnabled: true, shiny: 1 }, true],
  [{ isEnabled: 1 }, false],
  [undefined, true],
  [[], false],
  ['a', false],
  [null, false],
])('%j is told to keep the schema of a gate, or not, twice', (sent, keeps) => {
  expect([keepsSchema(sent, endpoints['patch-gate']), keepsSchema(sent, endpoints['patch-gate'])]).toEqual([
    keeps,
    keeps,
  ]);
});

test('where an operation has no body, all is as well', () => {
  expect(keepsSchema('a', endpointRow('disable-gate'))).toBe(true);
});
