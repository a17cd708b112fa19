import { metricId } from '../api/references.ts';
import type { Metric } from '../entities.ts';

type Linked = Metric & { readonly lineage: Metric['lineage'] };

/** What a metric names itself: the events of its lists, and the metrics that it is composed of. */
const namedBy = ({ metricEvents = [], funnelEventList = [], metricComponentMetrics = [] }: Metric) => ({
  events: [...metricEvents, ...funnelEventList].flatMap(({ name }) => name ?? []),
  metrics: metricComponentMetrics.flatMap(component => metricId(component) ?? []),
});

/**
 * Gives metrics without a lineage the one that follows from what they are computed from (section 2.7), through the
 * metrics of the table, in whichever order they stand. A metric that is composed of itself ends there.
 */
export const linkMetrics = (table: Map<string, object>, ids: readonly string[]): void => {
  const open = new Set(ids);
  const directly = (metric: Linked) => (open.has(metric.id) ? namedBy(metric) : metric.lineage);
  const lineageOf = (metric: Linked): Metric['lineage'] => {
    const { events, metrics } = directly(metric);
    const [allEvents, allMetrics] = [new Set(events), new Set(metrics)];
    // A set that grows while it is walked over is walked to its end.
    for (const id of allMetrics) {
      const component = table.get(id) as Linked | undefined;
      if (component === undefined) continue;
      const below = directly(component);
      for (const event of below.events) allEvents.add(event);
      for (const further of below.metrics) allMetrics.add(further);
    }
    allMetrics.delete(metric.id);
    return { events: [...allEvents], metrics: [...allMetrics] };
  };
  const linked = ids.map(id => {
    const metric = table.get(id) as Linked;
    return [id, { ...metric, lineage: lineageOf(metric) }] as const;
  });
  for (const [id, metric] of linked) table.set(id, metric);
};
