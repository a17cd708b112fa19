import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { violations } from './violations.ts';

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                             right,                                                                                  []],
  ['a server that takes everything',             instead({ status: 200 }),                                                               ['gate.description', 'gate.type', 'reject.wrong-type']],
  ['a bound that nobody looks at',               instead({ status: 200 }, (_request, { description }) => String(description).length > 1_000), ['gate.description']],
  ['a flag that nobody looks at',                instead({ status: 200 }, (_request, { isEnabled }) => isEnabled !== undefined),         ['reject.wrong-type']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(violations, 'patch-gate', wrong)).cited).toEqual(cited);
});

test('the set of environments is never sent without one of its members', async () => {
  const { sent } = await judgedBy(violations, 'update-environments');
  for (const { body } of sent) expect((body as { environments: unknown }).environments).toHaveLength(2);
});
