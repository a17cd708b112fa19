import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { modelSession } from '../proof/testing/judged-by.ts';
import { answering, createModel, instead, type Wrong } from '../proof/testing/model.ts';
import { lineageOf, readGate, readList, readMetrics, readQualifyingEvent } from './reading.ts';

const sessionOf = (wrong: Wrong = model => model) => modelSession(wrong(createModel()));
const noEmptyPatch = instead({ status: 400 }, (_request, body) => Object.keys(body).length === 0);

describe('a gate', () => {
  test('is read by the empty patch', async () => {
    const session = sessionOf();
    expect((await readGate(session, 'gate_a')).entity).toMatchObject({ id: 'gate_a' });
    expect(session.sent).toMatchObject([{ endpoint: 'patch-gate', param: 'gate_a', body: {} }]);
  });

  test('is read by its last known isEnabled where the empty patch is refused', async () => {
    const session = sessionOf(noEmptyPatch);
    expect((await readGate(session, 'gate_a')).entity).toBeNull();
    await session.send({ endpoint: 'patch-gate', param: 'gate_a', body: { isEnabled: false } });
    expect((await readGate(session, 'gate_a')).entity).toMatchObject({ id: 'gate_a', isEnabled: false });
    expect(session.sent.at(-1)?.body).toEqual({ isEnabled: false });
  });
});

/** Changes the link to the next page. */
function answeringLinks(change: (link: string) => string): Wrong {
  return model => (asked, body) => {
    const given = model(asked, body);
    const value = given.value as { pagination?: { nextPage: string | null } };
    const { pagination } = value;
    if (typeof pagination?.nextPage !== 'string') return given;
    return { ...given, value: { ...value, pagination: { ...pagination, nextPage: change(pagination.nextPage) } } };
  };
}

/** Shows `most` items of a page, and leaves out the rest without a word. */
function silentlyCapped(most: number): Wrong {
  return answering('list-events', data => (data as unknown as JsonObject[]).slice(0, most));
}

describe('a list', () => {
  const request = { endpoint: 'list-segments' } as const;

  const capped =
    (most: number): Wrong =>
    model =>
    (asked, body) =>
      model({ ...asked, query: { ...asked.query, limit: Math.min(most, Number(asked.query?.limit ?? 10)) } }, body);

  test('is walked to its end, with large pages once a link carried a limit', async () => {
    const session = sessionOf();
    const { items, complete } = await readList(session, { endpoint: 'list-events', param: 'page_view' });
    expect([items.length, complete]).toEqual([24, true]);
    expect(session.sent.map(({ query }) => query)).toEqual([undefined, { limit: 100, page: 1 }]);
    await readList(session, { endpoint: 'list-events', param: 'page_view' });
    expect(session.sent.at(-1)?.query).toEqual({ limit: 100, page: 1 });
    expect(session.sent).toHaveLength(3);
  });

  test('is asked for pages that are light', async () => {
    const heavy = Array.from({ length: 4_000 }, (_, index) => `value ${index}`);
    const session = sessionOf(
      answering('list-segments', data => (data as unknown as JsonObject[]).map(item => ({ ...item, heavy }))),
    );
    const { items, complete } = await readList(session, request);
    expect([items.length, complete]).toEqual([24, true]);
    expect(session.sent.every(({ query }) => query === undefined || Number(query.limit) <= 10)).toBe(true);
  });

  // biome-ignore format: a table
  test.each<readonly [what: string, wrong: Wrong, sent: readonly unknown[]]>([
    ['links without a limit are followed as they are', answeringLinks(link => link.replace(/&limit=\d+/, '')), [undefined, { page: '2' }, { page: '3' }]],
    ['a large limit that is refused is given up',      instead({ status: 400 }, ({ query }) => Number(query?.limit) > 50), [undefined, 100, undefined, { page: '2', limit: '10' }, { page: '3', limit: '10' }]],
    ['a cap is believed',                              capped(12),                                                 [undefined, 100, { page: '2', limit: '12' }]],
    ['a cap that is not told is not believed',         silentlyCapped(10),                                         [undefined, 100, undefined, { page: '2', limit: '10' }, { page: '3', limit: '10' }]],
  ])('%s', async (_what, wrong, sent) => {
    const session = sessionOf(wrong);
    const { items, complete } = await readList(session, { endpoint: 'list-events', param: 'page_view' });
    expect([items.length, complete]).toEqual([24, true]);
    const asked = sent.map(one => (typeof one === 'number' ? { limit: one, page: 1 } : one));
    expect(session.sent.map(({ query }) => query)).toEqual(asked);
  });

  test('is walked until there is enough', async () => {
    const session = sessionOf();
    const { complete } = await readList(session, request, ({ id }) => id === 'id 2');
    expect([session.sent.length, complete]).toEqual([1, false]);
  });

  test('is not complete where a page cannot be read, or has no items, or pages never end', async () => {
    const broken = sessionOf(instead({ status: 500 }, ({ query }) => query !== undefined && query.page !== 1));
    const unread = capped(10)(() => ({ status: 500 }));
    expect(
      await readList(
        sessionOf(() => unread),
        request,
      ),
    ).toMatchObject({ complete: false, items: [] });
    expect(await readList(broken, request)).toMatchObject({ complete: true });
    const empty = sessionOf(answering('list-segments', () => []));
    expect(await readList(empty, request)).toMatchObject({ complete: false, items: [] });
    const endless = sessionOf(() => capped(10)(createModel(10_000)));
    expect(await readList(endless, request)).toMatchObject({ complete: false, items: { length: 1_000 } });
  });

  test('of 6,000 items is read whole', async () => {
    const session = sessionOf(() => createModel(6_000));
    expect(await readList(session, request)).toMatchObject({ complete: true, items: { length: 6_000 } });
    expect(session.sent.length).toBeLessThan(20);
  });

  test('leaves out items that are no objects', async () => {
    const session = sessionOf(answering('list-segments', () => [1, null, { id: 'a' }]));
    expect((await readList(session, request)).items.slice(0, 1)).toEqual([{ id: 'a' }]);
  });
});

test('a qualifying event is read from the list', async () => {
  expect((await readQualifyingEvent(sessionOf(), 'source_b')).entity).toMatchObject({ name: 'source_b' });
  expect((await readQualifyingEvent(sessionOf(), 'source_c')).entity).toBeNull();
});

test('metrics are read under their event', async () => {
  const session = sessionOf();
  await session.send({ endpoint: 'create-metric', body: { name: 'abc', type: 'sum' } });
  expect((await readMetrics(session, 'page_view')).items).toMatchObject([{ id: 'abc::sum' }]);
  expect(session.sent.at(-1)).toEqual({ endpoint: 'list-event-metrics', param: 'page_view' });
});

test.each<readonly [lineage: unknown, events: readonly string[], metrics: readonly string[]]>([
  [{ events: ['a', 1], metrics: ['b'] }, ['a'], ['b']],
  [{ events: 'a' }, [], []],
  [null, [], []],
  [undefined, [], []],
])('the lineage %j names events and metrics', (lineage, events, metrics) => {
  expect(lineageOf({ lineage } as JsonObject)).toEqual({ events, metrics });
});
