import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { atOnce } from './at-once.ts';

/** One request's answer is another's. */
function shared(): (data: object) => unknown {
  let last: object | undefined;
  return data => {
    const before = last ?? data;
    last = data;
    return before;
  };
}

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                'create-metric',         right,                                          []],
  ['a right server, prompts',       'create-prompt-version', right,                                          []],
  ['one answer for two clients',    'create-metric',         answering('create-metric', shared()),           ['state.concurrent-answers /data/name']],
  ['an answer without a name',      'create-metric',         answering('create-metric', () => ({})),         []],
])('%s', async (_what, endpoint, wrong, found) => {
  expect((await judgedBy(atOnce, endpoint, wrong)).found).toEqual(found);
});

test('eight are sent, each with a name of its own; refused ones prove nothing', async () => {
  const { sent, because } = await judgedBy(atOnce, 'create-metric', instead({ status: 400 }));
  expect(sent).toHaveLength(8);
  expect(because).toEqual(['every creation was refused']);
});

test('where there is a dry run, nothing is created', async () => {
  const { sent } = await judgedBy(atOnce, 'create-metric');
  expect(sent.every(({ body }) => (body as { dryRun?: boolean }).dryRun === true)).toBe(true);
});

test('answers without names prove nothing', async () => {
  const nameless = answering('create-prompt-version', () => ({}));
  expect((await judgedBy(atOnce, 'create-prompt-version', nameless)).because).toEqual([
    'the answers do not show the names of what was created',
  ]);
});
