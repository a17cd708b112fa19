import { afterAll, describe, expect, it } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { Snapshot } from '../../store/store.ts';
import { attackAt, kinds } from './attacks.fixture.ts';
import { childServer } from './child.fixture.ts';
import { type Fired, fire } from './fire.fixture.ts';
import { asked, walked } from './lists.fixture.ts';
import * as model from './model.fixture.ts';
import { contested } from './writes.fixture.ts';

/**
 * How many requests are sent, unless `UNDER_FIRE_REQUESTS` says otherwise; `UNDER_FIRE_SEED` draws others than seed 1
 * does. The second half shows whether the first left anything in memory.
 */
const requests = Number(process.env.UNDER_FIRE_REQUESTS ?? 6000);
const seed = Number(process.env.UNDER_FIRE_SEED ?? 1);

/** How much the heap may grow between two collections, in bytes: compiled code and bounded caches. */
const slack = 1024 * 1024;

const child = await childServer();
afterAll(() => child.process.disconnect());
const { port } = child;

const state = (): Promise<Snapshot> => asked(port, 'GET', '/_reference/state');
const before = await state();
const half = Math.ceil(requests / 2);
const first: Fired = await fire(port, seed, 0, half);
const after = await state();

describe(`${requests} requests`, { timeout: 1_800_000 }, () => {
  const { problems, statuses, done } = first;

  it('are answered as they should be, never with 5xx, and leave their connections in step', () => {
    expect(problems).toEqual([]);
    expect([...statuses.keys()].filter(status => status >= 500)).toEqual([]);
    // All reasons of refusal occur, and some requests are accepted.
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining([200, 204, 400, 401, 404, 405, 409, 413, 415, 417, 431]),
    );
    expect(done.length).toBeGreaterThan(half / 10);
  });

  it('are of every kind, and the same for the same seed', () => {
    const fired = new Set(Array.from({ length: half }, (_, index) => attackAt(seed, index).kind));
    expect(kinds.map(({ kind }) => kind).filter(kind => !fired.has(kind))).toEqual([]);
    expect(attackAt(seed, 17)).toEqual(attackAt(seed, 17));
  });

  it.each(contested.gates)('leave the gate %s as its accepted writes say, one after another', id => {
    expect(model.gateProblems(done, before, after, id)).toEqual([]);
  });

  it('would be found out, were a single one of the accepted writes lost, doubled or changed', () => {
    const told = (writes: Fired['done']): number =>
      contested.gates.flatMap(id => model.gateProblems(writes, before, after, id)).length;
    const patches = contested.gates
      .flatMap(id => model.succeeded(done, 'patch-gate', id))
      .filter(({ body }) => 'description' in body);
    expect(patches.length).toBeGreaterThan(10);
    for (const patch of patches.slice(0, 10)) {
      expect(told(done.filter(each => each !== patch))).toBeGreaterThan(0);
      expect(told([...done, patch])).toBeGreaterThan(0);
      const changed = { ...patch, body: { ...patch.body, description: 'Another.' } };
      expect(told(done.map(each => (each === patch ? changed : each)))).toBeGreaterThan(0);
    }
  });

  it.each(contested.experiments)('leave the experiment %s with a version for each accepted write', id => {
    expect(model.experimentProblems(done, before, after, id)).toEqual([]);
  });

  it.each(contested.configs)('disable the config %s once', id => {
    expect(model.configProblems(done, before, after, id)).toEqual([]);
  });

  it('leave what was created, once, and nothing else', () => {
    expect(model.metricProblems(done, before, after)).toEqual([]);
    expect(contested.prompts.flatMap(id => model.promptProblems(done, before, after, id))).toEqual([]);
    expect(model.environmentProblems(done, before, after)).toEqual([]);
    expect(contested.qualifyingEvents.flatMap(id => model.sourceProblems(done, after, id))).toEqual([]);
  });

  it('leave the neighbours of what they wrote to as they were', () => {
    // Written to by the contested writes, or by bodies of which some are valid.
    const written: Partial<Record<keyof Snapshot, readonly string[]>> = {
      ...contested,
      gates: [...contested.gates, 'rate_limit_v2'],
      experiments: [...contested.experiments, 'push_timing'],
      configs: [...contested.configs, 'legacy_limits'],
      prompts: [...contested.prompts, 'tone-check'],
      qualifyingEvents: [...contested.qualifyingEvents, 'refunds_daily'],
    };
    const others = (snapshot: Snapshot, collection: keyof Snapshot) =>
      snapshot[collection].filter(([id]) => !written[collection]?.includes(id));
    for (const collection of Object.keys(before) as (keyof Snapshot)[]) {
      const known = new Set(before[collection].map(([id]) => id));
      const now = others(after, collection).filter(([id]) => known.has(id));
      expect(now).toEqual(others(before, collection));
      expect(new Set(after[collection].map(([id]) => id)).size).toBe(after[collection].length);
    }
  });

  // biome-ignore format: a table
  const lists: readonly (readonly [EndpointId, string, keyof Snapshot | null])[] = [
    ['list-segments',          '',             'segments'],
    ['list-qualifying-events', '',             'qualifyingEvents'],
    ['list-config-versions',   'feed_ranking', null],
    ['list-event-metrics',     'page_view',    null],
    ['list-events',            'page_view',    null],
  ];

  it.each(lists)('leave %s whole: every entry keeps the contract, totals are right', async (id, param, collection) => {
    const small = await walked(port, id, param, 7);
    const large = await walked(port, id, param, 100);
    expect([...small.problems, ...large.problems]).toEqual([]);
    expect(small.items).toEqual(large.items);
    if (collection !== null) expect(small.items).toHaveLength((await state())[collection].length);
  });

  it('show every created metric under its event, once', async () => {
    const { items } = await walked(port, 'list-event-metrics', 'page_view', 100);
    const ids = items.map(item => item.id);
    const created = model.succeeded(done, 'create-metric');
    expect(created.length).toBeGreaterThan(0);
    for (const { data, body } of created)
      if (body.dryRun !== true) expect(ids.filter(id => id === data.id)).toEqual([data.id]);
  });

  it('leave a state that the server would take for one of its own', async () => {
    expect(await asked(port, 'PUT', '/_reference/state', await state())).toEqual({ status: 'restored' });
  });

  it('leave a server that works, holds no more than before, and closes', async () => {
    await child.reset();
    expect(await state()).toEqual(before);
    const one = await child.health();
    const second = await fire(port, seed, half, 2 * half);
    expect(second.problems).toEqual([]);
    await child.reset();
    const two = await child.health();
    expect([...one.errors, ...two.errors]).toEqual([]);
    expect(two.heap - one.heap).toBeLessThan(slack);
    expect(two.resources.filter(resource => resource === 'TCPSocketWrap')).toEqual([]);
    expect(await state()).toEqual(before);
    const left = await child.close();
    expect(left.filter(resource => resource !== 'PipeWrap')).toEqual([]);
  });
});
