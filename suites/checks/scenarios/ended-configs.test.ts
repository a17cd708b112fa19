import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { endedConfigs } from './ended-configs.ts';

const isEnding = ({ endpoint }: ApiRequest): boolean => endpoint === 'disable-config';

/** Lists each version changed, the first time and then every so many times. */
const listing = (change: JsonObject, every = 1): Wrong => {
  let seen = 0;
  return answering('list-config-versions', data => {
    const isTurn = seen % every === 0;
    seen += 1;
    const items = data as unknown as readonly JsonObject[];
    return isTurn ? items.map((one): Json => ({ ...one, ...change })) : items;
  });
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[], because: readonly string[]]>([
  ['a right server',                                right,                                    [], []],
  ['versions with another default value',           listing({ defaultValue: { other: 1 } }),  ['state.config-shown /data/0/defaultValue'], []],
  ['versions that others turn back and forth',      listing({ idType: 'other' }, 2),          [], []],
  ['versions that somebody turned once',            listing({ idType: 'other' }, 1_000),      [], []],
  ['versions of another number',                    listing({ version: 999, idType: 'other' }), [], []],
  ['versions of another type, judged by itself',    listing({ defaultValue: 'text' }),        [], []],
  ['a refusal of what was done already',            instead({ status: 409 }, isEnding),       [], ['the config was not ended again (status 409)']],
  ['a fault of the server',                         instead({ status: 500 }, isEnding),       ['robust.never-5xx status'], []],
])('%s', async (_what, wrong, found, because) => {
  const judged = await judgedBy(endedConfigs, 'disable-config', wrong);
  expect([judged.found, judged.because]).toEqual([found, because]);
});

test('the settings that both show are what it has shown', async () => {
  const { results } = await judgedBy(endedConfigs, 'archive-config');
  expect(results.map(({ covers = [] }) => [...covers])).toEqual([['state.config-shown']]);
});
