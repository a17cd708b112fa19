import { notFound } from '../api/answer.ts';
import { pageOf } from '../api/page.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';
import type { Metric } from '../entities.ts';

type ByEvent = ReadonlyMap<string, readonly Metric[]>;

const indexOf = (metrics: readonly Metric[]): ByEvent => {
  const index = new Map<string, Metric[]>();
  for (const metric of metrics) {
    for (const event of metric.lineage.events) {
      const listed = index.get(event);
      if (listed === undefined) index.set(event, [metric]);
      else listed.push(metric);
    }
  }
  return index;
};

/** The store answers the same list until something changes, so that the index is built once for each state. */
const indexes = new WeakMap<readonly Metric[], ByEvent>();

const byEvent = (metrics: readonly Metric[]): ByEvent => {
  const known = indexes.get(metrics);
  if (known !== undefined) return known;
  const index = indexOf(metrics);
  indexes.set(metrics, index);
  return index;
};

/** Get metrics using event name (section 4.14): the metrics whose lineage has the event, directly or through others. */
export const listEventMetrics: Handler = async (request, store) => {
  if ((await store.get('events', request.param)) === undefined) throw notFound('Event');
  const metrics = byEvent(await store.list('metrics')).get(request.param) ?? [];
  return listed('list-event-metrics', pageOf(request, metrics));
};
