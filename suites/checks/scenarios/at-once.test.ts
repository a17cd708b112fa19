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
  expect(because).toEqual(['every creation was refused (status 400)']);
});

test('where little may be left, the others are dry runs, or are not sent', async () => {
  const amounts = { fuzz: 1, enumerated: 1, walks: 1, creations: 1 };
  const isDry = ({ body }: { body?: unknown }) => (body as { dryRun?: unknown }).dryRun === true;
  const metrics = await judgedBy(atOnce, 'create-metric', right, { amounts });
  expect(metrics.sent.filter(request => !isDry(request))).toHaveLength(2);
  expect(metrics.sent).toHaveLength(8);
  expect((await judgedBy(atOnce, 'create-prompt-version', right, { amounts })).sent).toHaveLength(2);
});
