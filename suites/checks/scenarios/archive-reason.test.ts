import { expect, test } from 'vitest';
import { type Json, membersOf } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { archiveReason } from './archive-reason.ts';

const isArchiving = ({ endpoint }: ApiRequest): boolean => endpoint === 'archive-config';

/** Shows the reason in a field of the config, in all answers or in the first ones. */
const reasonIn = (field: string, shown: (reason: Json) => Json, times = Number.POSITIVE_INFINITY): Wrong => {
  let left = times;
  return answering('archive-config', (data, { body }) => {
    left -= 1;
    return left < 0 ? data : { ...data, [field]: shown(membersOf(body).archiveReason as Json) };
  });
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[], because: readonly string[]]>([
  ['a right server',                               right,                                        [], []],
  ['the reason as the description',                reasonIn('description', reason => reason),    ['state.archive-reason /data/description'], []],
  ['the reason among the tags',                    reasonIn('tags', reason => ['a', reason]),    ['state.archive-reason /data/tags'], []],
  ['the reason within a longer text',              reasonIn('description', reason => `Archived: ${reason}`), [], []],
  ['the reason as a member that no section names', reasonIn('archiveReason', reason => reason),  [], []],
  ['the reason as one called like a built-in one', reasonIn('constructor', reason => reason),    [], []],
  ['the reason as the description, once',          reasonIn('description', reason => reason, 1), [], []],
  ['a refusal of what was done already',           instead({ status: 409 }, isArchiving),        [], ['the config was not archived again (status 409)']],
])('%s', async (_what, wrong, found, because) => {
  const judged = await judgedBy(archiveReason, 'archive-config', wrong);
  expect([judged.found, judged.because]).toEqual([found, because]);
});

test('it is verified where the config is shown', async () => {
  const bare = answering('archive-config', () => ({}));
  const covered = async (wrong: Wrong) =>
    (await judgedBy(archiveReason, 'archive-config', wrong)).results.flatMap(({ covers = [] }) => [...covers]);
  expect([await covered(right), await covered(bare)]).toEqual([['state.archive-reason'], []]);
});
