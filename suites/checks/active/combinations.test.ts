import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { combinations } from './combinations.ts';

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                        right,                                                                             []],
  ['a field refused beside others',         instead({ status: 400 }, (_request, body) => 'tags' in body),                      ['accept.combination']],
  ['two fields refused together',           instead({ status: 422 }, (_request, body) => 'type' in body && 'name' in body), ['accept.combination']],
  ['a connection dropped by a combination', instead({ failure: { kind: 'dropped', message: '' } }, (_request, body) => 'tags' in body), ['robust.no-drop']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(combinations, 'patch-gate', wrong)).cited).toEqual(cited);
});

test('a creation that can be told by its name only is tried dry, and beyond the profile every one is', async () => {
  const isDry = ({ body }: { body?: unknown }) => (body as { dryRun?: unknown }).dryRun === true;
  const { sent } = await judgedBy(combinations, 'create-metric', right, { extended: true });
  expect(sent.filter(request => !isDry(request))).toEqual([]);
  const named = (await judgedBy(combinations, 'create-metric')).sent.filter(
    ({ body }) => !String((body as { name?: unknown }).name).startsWith('conform_name'),
  );
  expect(named.filter(request => !isDry(request))).toEqual([]);
});
