import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { modelSession } from '../proof/testing/judged-by.ts';
import { answering, createModel, instead, type Wrong } from '../proof/testing/model.ts';
import { createEventually } from './eventually.ts';
import { lineageOf, readGate, readList, readMetrics, readQualifyingEvent, readSettledGate } from './reading.ts';

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

  test('is settled once what was last written is visible', async () => {
    let stale = 2;
    const session = sessionOf(model => (request, body) => {
      const given = model(request, body);
      if (JSON.stringify(body) !== '{}' || stale === 0) return given;
      stale -= 1;
      return answering('patch-gate', gate => ({ ...gate, description: 'old' }))(model)(request, body);
    });
    await session.send({ endpoint: 'patch-gate', param: 'gate_a', body: { description: 'new' } });
    const { entity } = await readSettledGate(session, 'gate_a', createEventually(1_000));
    expect(entity).toMatchObject({ description: 'new' });
    expect(session.sent).toHaveLength(4);
  });
});

describe('a list', () => {
  const request = { endpoint: 'list-segments' } as const;

  test('is walked to its end by its links', async () => {
    const session = sessionOf();
    const { items, complete } = await readList(session, request);
    expect([items.length, complete]).toEqual([24, true]);
    expect(session.sent.map(({ query }) => query)).toEqual([
      undefined,
      { page: '2', limit: '10' },
      { page: '3', limit: '10' },
    ]);
  });

  test('is walked until there is enough', async () => {
    const session = sessionOf();
    const { complete } = await readList(session, request, ({ id }) => id === 'id 12');
    expect([session.sent.length, complete]).toEqual([2, false]);
  });

  test('is not complete where a page cannot be read, or has no items, or pages never end', async () => {
    const broken = sessionOf(instead({ status: 500 }, ({ query }) => query?.page === '2'));
    expect(await readList(broken, request)).toMatchObject({ complete: false, items: { length: 10 } });
    const empty = sessionOf(answering('list-segments', () => []));
    expect(await readList(empty, request)).toMatchObject({ complete: false, items: [] });
    const endless = sessionOf(() => createModel(10_000));
    expect(await readList(endless, request)).toMatchObject({ complete: false, items: { length: 600 } });
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
