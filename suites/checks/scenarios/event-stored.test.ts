import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, fixtures, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { eventStored } from './event-stored.ts';

const isUpdate = ({ endpoint }: ApiRequest): boolean => endpoint === 'update-qualifying-event';
const storing =
  (change: (body: JsonObject) => JsonObject): Wrong =>
  model =>
  (request, body) =>
    model(request, isUpdate(request) ? change(body as JsonObject) : body);
/** Stores an update under every source. */
const everywhere: Wrong = model => (request, body) => {
  if (isUpdate(request)) for (const param of fixtures.qualifyingEvents) model({ ...request, param }, body);
  return model(request, body);
};
/** Shows a source under the name that an update carried last. */
const renaming: Wrong = model => {
  let name: unknown;
  return (request, body) => {
    if (isUpdate(request)) name = (body as JsonObject).name ?? name;
    const show = (source: JsonObject) =>
      source.name === 'source_b' && name !== undefined ? { ...source, name } : source;
    return answering('list-qualifying-events', data => (data as unknown as JsonObject[]).map(show))(model)(
      request,
      body,
    );
  };
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                           right,                                                                      []],
  ['an update that is answered, not stored',   storing(body => ({ ...body, dryRun: true })),                               ['state.qualifying-event-visible']],
  ['a field that is not stored',               storing(({ timestampAsDay: _, ...body }) => ({ ...body, timestampAsDay: false })), ['state.qualifying-event-visible']],
  ['a dry run that stores',                    storing(({ dryRun: _, ...body }) => body),                                  ['state.dry-run-qualifying-event']],
  ['a name answered as it was sent',           answering('update-qualifying-event', (data, { body }) => ({ ...data, name: (body as JsonObject).name ?? data.name })), ['state.qualifying-event-name-fixed']],
  ['an entity renamed',                        renaming,                                                                   ['state.qualifying-event-name-fixed']],
  ['placeholders refused',                     instead({ status: 400 }, (_request, { sql }) => String(sql).includes('{service_start_date}')), ['accept.sql-placeholders']],
  ['a write that hits every row',              everywhere,                                                                 ['state.neighbours']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(eventStored, 'update-qualifying-event', wrong)).cited).toEqual(cited);
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['updates that are refused',      instead({ status: 409 }, isUpdate),                                   ['the update was refused (status 409)', 'each of its fields was refused alone', 'the minimal request of this endpoint was not accepted (status 409), so a single field proves nothing']],
  ['a list without the source',     answering('list-qualifying-events', () => []),                        ['the qualifying event does not stand in the list', 'there is no other qualifying event to be left alone']],
  ['a list that is refused',        instead({ status: 400 }, request => !isUpdate(request)),              ['the qualifying event does not stand in the list', 'the list could not be walked to its end']],
])('%s prove nothing', async (_what, wrong, because) => {
  expect((await judgedBy(eventStored, 'update-qualifying-event', wrong)).because).toEqual(because);
});
