import { beforeEach, describe, expect, it } from 'vitest';
import { started, testTime } from '../proof/testing/started.ts';

const { server, call } = await started();
beforeEach(server.reset);

const over = (...names: string[]) => names.map(name => ({ name, type: 'count' }));
const listedUnder = async (event: string): Promise<string[]> =>
  (await call('list-event-metrics', event, undefined, '?limit=100')).json.data.map(
    (metric: { id: string }) => metric.id,
  );

describe('Create Metric', () => {
  it('creates a metric with its id, defaults and lineage, and lists it under its event', async () => {
    const sent = { name: 'Views: a/b (%)', type: 'event_user', metricEvents: over('page_view'), tags: ['X'] };
    const { json } = await call('create-metric', '', sent);
    expect(json.data).toMatchObject({
      ...sent,
      id: 'Views: a/b (%)::event_user',
      directionality: 'increase',
      lineage: { events: ['page_view'], metrics: [] },
      createdTime: testTime,
    });
    expect(await listedUnder('page_view')).toContain(json.data.id);
    expect(await listedUnder('add_to_cart')).not.toContain(json.data.id);
  });

  it('finds events through funnels and through the metrics a composite is made of', async () => {
    const funnel = {
      name: 'steps',
      type: 'funnel',
      funnelEventList: over('add_to_cart', 'purchase'),
      funnelCountDistinct: 'users',
    };
    expect((await call('create-metric', '', funnel)).json.data.lineage.events).toEqual(['add_to_cart', 'purchase']);
    const composite = {
      name: 'all',
      type: 'composite',
      metricComponentMetrics: [{ name: 'commerce', type: 'composite_sum' }],
    };
    expect((await call('create-metric', '', composite)).json.data.lineage).toEqual({
      events: ['purchase', 'page_view', 'add_to_cart'],
      metrics: [
        'commerce::composite_sum',
        'revenue::sum',
        'engagement::composite',
        'page_view::event_count',
        'add_to_cart::event_count',
      ],
    });
    expect(await listedUnder('purchase')).toEqual(expect.arrayContaining(['steps::funnel', 'all::composite']));
  });

  it('keeps nothing of a dry run', async () => {
    const before = await server.store.snapshot();
    const { status, json } = await call('create-metric', '', {
      name: 'dry',
      type: 'sum',
      metricEvents: over('purchase'),
      dryRun: true,
    });
    expect([status, json.data.id]).toEqual([200, 'dry::sum']);
    expect(json.data).not.toHaveProperty('dryRun');
    expect(await server.store.snapshot()).toEqual(before);
  });

  it('refuses a name and type that exist, dry run or not, and takes the name with another type', async () => {
    const sent = { name: 'revenue', type: 'sum' };
    expect((await call('create-metric', '', sent)).status).toBe(409);
    expect((await call('create-metric', '', { ...sent, dryRun: true })).status).toBe(409);
    expect((await call('create-metric', '', { ...sent, type: 'mean' })).status).toBe(200);
  });

  it('creates one of two equal metrics that are sent at once', async () => {
    const both = await Promise.all([1, 2].map(() => call('create-metric', '', { name: 'control', type: 'sum' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  // biome-ignore format: a table
  it.each([
    ['metricEvents.0.name',                 { metricEvents: over('nothing') }],
    ['funnelEventList.1.name',              { type: 'funnel', funnelEventList: over('purchase', 'nothing') }],
    ['metricComponentMetrics.0',            { metricComponentMetrics: [{ name: 'nothing', type: 'sum' }] }],
    ['unitTypes.0',                         { unitTypes: ['nothing'] }],
    ['team',                                { team: 'nobody' }],
    ['warehouseNative.metricSourceName',    { warehouseNative: { metricSourceName: 'nothing' } }],
    ['warehouseNative.components.0.metricSourceName', { warehouseNative: { components: [{ metricSourceName: 'nothing' }] } }],
    ['metricEvents.0.type',                 { type: 'ratio', metricEvents: [{ name: 'purchase', type: 'sum' }] }],
    ['percentile',                          { percentile: 1 }],
  ])('refuses %s when it is wrong', async (property, wrong) => {
    const before = await server.store.snapshot();
    const { status, json } = await call('create-metric', '', { name: 'wrong', type: 'sum', ...wrong });
    expect(status).toBe(400);
    expect(json.errors.map((error: { property: string }) => error.property)).toEqual([property]);
    expect(await server.store.snapshot()).toEqual(before);
  });
});

describe('Get metrics using event name', () => {
  it.each(['page_view', 'add_to_cart', 'purchase', 'session_start'])(
    'lists what has %s in its lineage',
    async event => {
      const expected = (await server.store.list('metrics')).filter(metric => metric.lineage.events.includes(event));
      expect(expected.length).toBeGreaterThan(0);
      expect(await listedUnder(event)).toEqual(expected.map(metric => metric.id));
    },
  );
});
