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
/** Answers an update with what was sent, whatever was stored. */
const answered: Wrong = answering('update-qualifying-event', (data, { body }) => ({
  ...data,
  ...(body as JsonObject),
  name: data.name,
}));
/** Stores an update under every source. */
const everywhere: Wrong = model => (request, body) => {
  if (isUpdate(request)) for (const param of fixtures.qualifyingEvents) model({ ...request, param }, body);
  return model(request, body);
};
/** Shows a source under the name that the last update carried. */
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

/** Never refreshes a page of the list after it was first shown, except the first page. */
const keepingPages: Wrong = model => {
  const kept = new Map<string, ReturnType<typeof model>>();
  return (request, body) => {
    const key = JSON.stringify(request.query);
    if (Number(request.query?.page ?? 1) < 2) return model(request, body);
    const given = kept.get(key) ?? model(request, body);
    kept.set(key, given);
    return given;
  };
};

/** Returns the requirements that a check found broken, and those that its answers made suspicious. */
async function told(wrong: Wrong): Promise<readonly string[]> {
  const { cited, suspected } = await judgedBy(eventStored, 'update-qualifying-event', wrong);
  return [...new Set([...cited, ...suspected.map(one => one.split(' ')[0] ?? '')])];
}

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, requirements: readonly string[]]>([
  ['a right server',                           right,                                                                      []],
  ['an update that is not stored: all alike',  storing(body => ({ ...body, dryRun: true })),                               ['state.qualifying-event-visible']],
  ['a field that is answered, not stored',     model => answered(storing(({ timestampAsDay: _, ...body }) => ({ ...body, timestampAsDay: false }))(model)), ['state.qualifying-event-visible']],
  ['a dry run that stores',                    storing(({ dryRun: _, ...body }) => body),                                  ['state.dry-run-qualifying-event', 'reject.no-trace']],
  ['dry runs refused',                         instead({ status: 400 }, (_request, { dryRun }) => dryRun === true),        ['accept.stated-boundary']],
  ['a name answered as it was sent',           answering('update-qualifying-event', (data, { body }) => ({ ...data, name: (body as JsonObject).name ?? data.name })), ['state.qualifying-event-name-fixed']],
  ['an entity renamed',                        renaming,                                                                   ['state.qualifying-event-name-fixed']],
  ['placeholders refused',                     instead({ status: 400 }, (_request, { sql }) => String(sql).includes('{service_start_date}')), ['accept.sql-placeholders']],
  ['a write that hits every row',              everywhere,                                                                 ['state.concurrent-answers', 'state.neighbours']],
])('%s', async (_what, wrong, requirements) => {
  expect(await told(wrong)).toEqual(requirements);
});

const laterPage = ['an update between two readings of a later page'];

test('a later page that is kept as it was is met', async () => {
  // Sources must differ; otherwise one with the same description would be taken for the other.
  const toldApart: Wrong = answering('list-qualifying-events', data =>
    (data as unknown as JsonObject[]).map(one => ({ ...one, sql: `${one.sql} -- ${one.name}` })),
  );
  const at = (wrong: Wrong) => judgedBy(eventStored, 'update-qualifying-event', wrong, {}, laterPage);
  expect((await at(model => keepingPages(toldApart(model)))).suspected).toContain(
    'state.qualifying-event-visible /data/0/description',
  );
  const { suspected, sent, results } = await at(right);
  expect(suspected).toEqual([]);
  expect(sent.map(({ endpoint, param, query }) => [endpoint, param ?? query])).toEqual([
    ['list-qualifying-events', undefined],
    ['list-qualifying-events', { limit: 1, page: 2 }],
    ['update-qualifying-event', 'source_b'],
    ['list-qualifying-events', { limit: 1, page: 2 }],
  ]);
  expect(results.flatMap(({ covers = [] }) => [...covers])).toEqual(['state.qualifying-event-visible']);
});

test('a list that is sorted by the last change has moved what was written to another page', async () => {
  const moving: Wrong = model => {
    let isWritten = false;
    return (request, body) => {
      isWritten ||= isUpdate(request);
      const page = Number(request.query?.page ?? 1);
      return model(isWritten && page > 1 ? { ...request, query: { ...request.query, page: 1 } } : request, body);
    };
  };
  const { suspected, because } = await judgedBy(eventStored, 'update-qualifying-event', moving, {}, laterPage);
  expect([suspected, because]).toEqual([
    [],
    ['its page does not show the source (status 200: "Qualifying events listed successfully.")'],
  ]);
});

/** Lists no source that `isLost` selects. */
const losing = (isLost: (source: JsonObject) => boolean): Wrong =>
  answering('list-qualifying-events', data => (data as unknown as JsonObject[]).filter(one => !isLost(one)));
const hasNoTags = ({ tags }: JsonObject): boolean => Array.isArray(tags) && tags.length === 0;
const wasListed = {
  discovered: { qualifyingEvents: new Map([['source_a', { name: 'source_a', tags: ['kept'], description: 'Kept' }]]) },
};

test('a source that an update takes out of the list is missed where its former values bring it back', async () => {
  const found = async (wrong: Wrong) =>
    (await judgedBy(eventStored, 'update-qualifying-event', wrong, wasListed)).cited;
  expect(await found(right)).toEqual([]);
  expect(await found(losing(hasNoTags))).toEqual(['state.qualifying-event-visible']);
  // It may be listed elsewhere, or not for this key, whatever its values are.
  expect(await found(losing(({ name }) => name === 'source_a'))).toEqual([]);
});

test('a list that lacks a source now and then is not accused of an update', async () => {
  let number = 0;
  const flickering = losing(source => {
    if (!hasNoTags(source)) return false;
    number += 1;
    return number % 2 === 1;
  });
  expect((await judgedBy(eventStored, 'update-qualifying-event', flickering, wasListed)).cited).toEqual([]);
});

test('a dry run has another name, which its answer must not show', async () => {
  const dry = answering('update-qualifying-event', (data, { body }) => {
    const { dryRun, name } = body as JsonObject;
    return dryRun === true ? { ...data, name: name ?? data.name } : data;
  });
  const title = ['dry runs, then the list'];
  const { sent } = await judgedBy(eventStored, 'update-qualifying-event', dry, {}, title);
  const names = sent.filter(isUpdate).map(({ body }) => (body as JsonObject).name);
  expect(names).toEqual([undefined, 'conform-test-renamed-dry', undefined, undefined]);
});

test('a dry run that is refused is a warning unless the refusal names it, and nothing where circumstances refuse it', async () => {
  const doubts = async (status: number, message: string) => {
    const wrong = instead({ status, value: { message } }, (_request, { dryRun }) => dryRun === true);
    const { results } = await judgedBy(eventStored, 'update-qualifying-event', wrong);
    return results.flatMap(({ violations }) => violations.map(({ doubt }) => doubt));
  };
  expect(await doubts(422, 'property dry_run should not exist')).toEqual([undefined]);
  expect(await doubts(400, 'table not found')).toEqual(['the refusal may be about what a dry run alone examines']);
  for (const status of [401, 403, 409]) expect(await doubts(status, 'no dryRun')).toEqual([]);
});

const noLaterPage = 'no source that may be written stands behind another in the list';

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['updates that are refused',      instead({ status: 409 }, isUpdate),                                   ['the update was refused (status 409)', 'each of its fields was refused alone', 'the minimal request of this endpoint was not accepted (status 409), so a single field proves nothing']],
  ['a list without the source',     answering('list-qualifying-events', () => []),                        ['what was written could not be read back (status 200: "Qualifying events listed successfully.")', 'there is no other qualifying event to be left alone', noLaterPage]],
  ['a list that is refused',        instead({ status: 400 }, request => !isUpdate(request)),              ['what was written could not be read back (status 400)', 'the list could not be walked to its end', noLaterPage]],
])('%s prove nothing', async (_what, wrong, because) => {
  expect((await judgedBy(eventStored, 'update-qualifying-event', wrong)).because).toEqual(because);
});

test('flags that nobody should set for good are tried both ways, dry; a key that may not set them is sent less', async () => {
  const title = ['dry runs, then the list'];
  const flags = (sent: readonly ApiRequest[]) =>
    sent.filter(isUpdate).map(({ body }) => {
      const { isVerified, isReadOnly, dryRun } = body as JsonObject;
      return [isVerified, isReadOnly, dryRun].join();
    });
  const { sent } = await judgedBy(eventStored, 'update-qualifying-event', right, {}, title);
  expect(flags(sent)).toEqual(['true,false,true', 'false,true,true', ',,true', ',,true']);
  const refusing = instead({ status: 403 }, (_request, body) => body.isVerified !== undefined);
  const less = await judgedBy(eventStored, 'update-qualifying-event', refusing, {}, title);
  expect(flags(less.sent)).toEqual(['true,false,true', ',,true', ',,true', ',,true', ',,true']);
  expect([less.told, less.because]).toEqual([[], []]);
});
