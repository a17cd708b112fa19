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
  const named = [...(body.metricEvents ?? []), ...(body.funnelEventList ?? [])].flatMap(event => event.name ?? []);
  const events: string[] = [];
  const metrics = metricIds(body);
  for (const name of named) if ((await store.get('events', name)) !== undefined) events.push(name);
  for (const id of [...metrics]) {
    const component = await store.get('metrics', id);
    events.push(...(component?.lineage.events ?? []));
    metrics.push(...(component?.lineage.metrics ?? []));
  }
  return { events: [...new Set(events)], metrics: [...new Set(metrics)] };
};
