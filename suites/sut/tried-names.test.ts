import { expect, test } from 'vitest';
import { givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { noteTriedName, triedNames } from './tried-names.ts';

const noted = (
  ...all: readonly (readonly [name: string, status: number, more?: object, key?: ApiRequest['key']])[]
) => {
  const run = {};
  for (const [name, status, more = {}, key] of all) {
    const sent = { name, type: 'sum', ...more };
    const request = key === undefined ? {} : { key };
    noteTriedName(run, 'token', givenAnswer({ endpoint: 'create-metric', status, sent, request }));
  }
  return Object.fromEntries(triedNames(run, 'create-metric'));
};

test('a name that was only tried, refused, or sent without the key must belong to nothing', () => {
  const found = noted(
    ['a_token_1', 200, { dryRun: true }],
    ['a_token_2', 422],
    ['a_token_3', 401, {}, { kind: 'none' }],
    ['a_token_4', 200],
  );
  expect(found).toEqual({ a_token_1: 'dry-run', a_token_2: 'refused', a_token_3: 'keyless' });
});

test('a name under which something may have been created, before or afterwards, is not among them', () => {
  const created = ['a_token_1', 200] as const;
  expect(noted(['a_token_1', 200, { dryRun: true }], created)).toEqual({});
  expect(noted(created, ['a_token_1', 409])).toEqual({});
  expect(noted(['a_token_2', 503], ['a_token_3', 408])).toEqual({});
});

test('a name that this run did not make up is nothing that it knows of', () => {
  expect(noted(['theirs', 422])).toEqual({});
});

test('two runs know nothing of one another', () => {
  noted(['a_token_1', 422]);
  expect([...triedNames({}, 'create-metric')]).toEqual([]);
});
