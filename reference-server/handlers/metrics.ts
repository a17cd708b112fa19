import type { BodyOf } from '../../contracts/endpoints.ts';
import { memoized } from '../../contracts/memoized.ts';
import { urlText } from '../../contracts/url-text.ts';
import { type Names, namesOf, unknownMembers, unknownMetrics, unknownNames } from '../api/names.ts';
import { entityNamed, metricId, ofEach } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { type FieldError, Refused, refusal, refuseAny } from '../api/response.ts';
import { listed, success } from '../api/success.ts';
import { keyHolder, ownerOf } from '../directory.ts';
import type { Metric } from '../entities.ts';
import type { Reader } from '../store/store.ts';

type Body = BodyOf<'create-metric'>;

/** The events and metrics that a metric, or the request for one, names directly. */
export const namedBy = ({
  metricEvents = [],
  funnelEventList = [],
  metricComponentMetrics = [],
}: Pick<Metric, 'metricEvents' | 'funnelEventList' | 'metricComponentMetrics'>) => ({
  events: [...metricEvents, ...funnelEventList].flatMap(({ name }) => name ?? []),
  metrics: metricComponentMetrics.flatMap(component => metricId(component) ?? []),
});

/**
 * What a metric is computed from (section 2.7): the events it names in `metricEvents` and `funnelEventList`, the
 * metrics it is composed of, and what those are computed from in turn. Each is listed once.
 */
const lineageOf = async (store: Reader, body: Body): Promise<Metric['lineage']> => {
  const events = new Set<string>();
  const named = namedBy(body);
  const metrics = new Set(named.metrics);
  for (const name of named.events) if ((await store.get('events', name)) !== undefined) events.add(name);
  for (const id of [...metrics]) {
    const component = await store.get('metrics', id);
    for (const event of component?.lineage.events ?? []) events.add(event);
    for (const metric of component?.lineage.metrics ?? []) metrics.add(metric);
  }
  return { events: [...events], metrics: [...metrics] };
};

const warehouseReferences = async (names: Names, body: Body): Promise<FieldError[]> => {
  const unknownSource = (at: string, source: { readonly [name: string]: unknown }, member = 'metricSourceName') =>
    unknownNames(names, `warehouseNative${at}.${member}`, 'metricSource', source[member]);
  const { warehouseNative: warehouse = {} } = body;
  return [
    ...(await unknownSource('', warehouse)),
    ...(await unknownSource('', warehouse, 'denominatorMetricSourceName')),
    ...(await ofEach(['metricSources', 'funnelEvents', 'components'] as const, list =>
      ofEach(warehouse[list], (item, index) => unknownSource(`.${list}.${index}`, item)),
    )),
  ];
};

/** What a metric to be created refers to and does not exist. */
const references = async (names: Names, body: Body): Promise<FieldError[]> => [
  ...(await unknownMembers(names, body, { team: 'team', teamID: 'team', unitTypes: 'idType' })),
  ...(await ofEach(['metricEvents', 'funnelEventList'] as const, list =>
    ofEach(body[list], ({ name }, index) => unknownNames(names, `${list}.${index}.name`, 'event', name)),
  )),
  ...(await unknownMetrics(names, 'metricComponentMetrics', body.metricComponentMetrics)),
  ...(await warehouseReferences(names, body)),
];

/** A metric that is created from a body, with its lineage; `now` is in milliseconds since 1970. */
export const newMetric = (
  body: Omit<Body, 'dryRun' | 'type'> & { readonly type: string },
  id: string,
  lineage: Metric['lineage'],
  now: number,
): Metric => ({
  directionality: 'increase',
  description: '',
  isPermanent: false,
  isReadOnly: false,
  isVerified: false,
  tags: [],
  unitTypes: ['userID'],
  metricEvents: [],
  team: null,
  ...body,
  id,
  isHidden: false,
  creatorName: keyHolder.name,
  creatorEmail: keyHolder.email,
  createdTime: now,
  owner: { ...ownerOf(keyHolder, 'SDK_KEY'), name: keyHolder.name },
  lineage,
  permalink: `https://console.example.com/metrics/${urlText(body.type)}/${urlText(body.name)}`,
});

/** The metrics by event, of each state of the collection: the store gives the same list until something changes. */
const byEvent = memoized((metrics: readonly Metric[]): ReadonlyMap<string, readonly Metric[]> => {
  const index = new Map<string, Metric[]>();
  for (const metric of metrics)
    for (const event of metric.lineage.events) {
      const under = index.get(event);
      if (under === undefined) index.set(event, [metric]);
      else under.push(metric);
    }
  return index;
});

/** The operations on metrics. */
export const metricHandlers = {
  /** Section 4.9: name and type together are unique (409). `dryRun` shows what would be and keeps nothing. */
  'create-metric': (request, store, settings) =>
    store.transaction(async transaction => {
      const { dryRun, ...body } = bodyOf<'create-metric'>(request);
      const id = `${body.name}::${body.type}`;
      refuseAny(await references(namesOf(transaction, settings), body));
      if ((await transaction.get('metrics', id)) !== undefined)
        throw new Refused(refusal(409, 'A metric with this name and type exists already.'));
      const metric = newMetric(body, id, await lineageOf(transaction, body), settings.now());
      if (dryRun !== true) await transaction.put('metrics', id, metric);
      return success(request, metric);
    }),

  /** Section 4.14: the metrics whose lineage has the event, directly or through others. */
  'list-event-metrics': async (request, store) => {
    await entityNamed(store, 'events', request);
    return listed(request, byEvent(await store.list('metrics')).get(request.param) ?? []);
  },
} satisfies Record<string, Handler>;
