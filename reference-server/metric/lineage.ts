import type { BodyOf } from '../../contracts/endpoints.ts';
import type { Metric } from '../entities.ts';
import type { Reader } from '../store/store.ts';

const metricIds = (body: BodyOf<'create-metric'>): string[] =>
  (body.metricComponentMetrics ?? []).flatMap(component => {
    const { name, type } = component as { name?: unknown; type?: unknown };
    return typeof name === 'string' && typeof type === 'string' ? [`${name}::${type}`] : [];
  });

/**
 * What a metric is computed from (section 2.7): the events it names in `metricEvents` and `funnelEventList`, the metrics it is composed
 * of, and what those are computed from in turn. Each is listed once.
 */
export const lineageOf = async (store: Reader, body: BodyOf<'create-metric'>): Promise<Metric['lineage']> => {
  const events = new Set<string>();
  const metrics = new Set(metricIds(body));
  for (const { name } of [...(body.metricEvents ?? []), ...(body.funnelEventList ?? [])])
    if (name !== undefined && (await store.get('events', name)) !== undefined) events.add(name);
  for (const id of [...metrics]) {
    const component = await store.get('metrics', id);
    for (const event of component?.lineage.events ?? []) events.add(event);
    for (const metric of component?.lineage.metrics ?? []) metrics.add(metric);
  }
  return { events: [...events], metrics: [...metrics] };
};
