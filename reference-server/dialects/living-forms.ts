import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { isSuccess } from '../api/response.ts';
import { success } from '../api/success.ts';
import type { Decorator } from '../decorators/layers.ts';
import { alter, drop, type Mutable } from '../decorators/members.ts';
import { counting } from '../decorators/now-and-then.ts';
import { aroundWork, sentBy } from '../decorators/operations.ts';
import { onEntity, shows } from '../decorators/responses.ts';
import { isNullable, onShownObject, without } from '../decorators/schemas.ts';
import { stores } from '../decorators/stores.ts';
import type { Dialect } from './dialect.ts';

/** Services that show an entity in several forms, complete it late, or store texts in a normalised form. */

const gates: readonly EndpointId[] = ['patch-gate', 'disable-gate'];
const sources: readonly EndpointId[] = ['update-qualifying-event', 'list-qualifying-events'];
const metrics: readonly EndpointId[] = ['create-metric', 'list-event-metrics'];
const taggedKinds: readonly EndpointId[] = [...gates, ...sources];

const inTurn =
  (one: Decorator, other: Decorator): Decorator =>
  server => {
    const ways = [one(server), other(server)] as const;
    let count = 0;
    return {
      decorate: (id, handler) => {
        const handlers = ways.map(way => way.decorate?.(id, handler) ?? handler);
        return (request, store, settings) => {
          count += 1;
          return (handlers[count % 2] ?? handler)(request, store, settings);
        };
      },
    };
  };

const nulls = onShownObject((object, properties) => ({
  ...Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => (isNullable(schema) ? [[name, null]] : [])),
  ),
  ...object,
}));
const noNulls = onShownObject((object, _properties, required) =>
  without(object, (name, value) => value === null && !required.includes(name)),
);

const ownerSometimes = counting(next =>
  onEntity(entity => {
    if (next() % 3 === 0) drop('owner')(entity);
  }),
);

/** Adds undocumented members at every depth, which change with every answer. */
const stamped = counting(next => onShownObject(object => ({ ...object, _etag: `W/"${next()}"`, _readAt: next() })));

/** Shows these members of an entity only after a request has sent them. */
const sinceSent =
  (...names: readonly string[]): Decorator =>
  () => {
    const sent = new Set<string>();
    return {
      decorateOperation: (_id, handler) => async (request, store, settings) => {
        const response = await handler(request, store, settings);
        if (!isSuccess(response)) return response;
        for (const name of Object.keys(sentBy(request))) sent.add(`${request.param} ${name}`);
        const { data } = response.body as { data: Mutable };
        const hidden = names.filter(name => !sent.has(`${request.param} ${name}`));
        return success(
          request,
          without(data, name => hidden.includes(name)),
        );
      },
    };
  };

const folded = (tags: unknown): unknown =>
  Array.isArray(tags) ? [...new Set(tags.map(tag => String(tag).toLowerCase()))].sort() : tags;
/** Answers tags as sent, and stores them in lower case, each once. */
const foldsTags = stores(({ value }) => ({ ...value, ...('tags' in value && { tags: folded(value.tags) }) }));

const hour = 3_600_000;
const toTheHour = shows(
  alter('createdTime', time => (typeof time === 'number' ? Math.floor(time / hour) * hour : time)),
);

/** Computes the lineage of a metric after its creation, which shows it empty. */
const lineageLater = onEntity((entity, request) =>
  request.endpoint === 'create-metric' ? { ...entity, lineage: { events: [], metrics: [] } } : entity,
);

/** Answers a creation with the members that were sent or are required; lists add the defaults. */
const defaultsLater = onEntity((entity, request) => {
  const { required = [] } = endpoints['create-metric'].data as { required?: readonly string[] };
  const kept = new Set([...required, 'directionality', 'lineage', ...Object.keys(sentBy(request))]);
  return request.endpoint === 'create-metric' ? without(entity, name => !kept.has(name)) : entity;
});

/** Enables groups after the answer, which shows the earlier state. */
const groupsLater: Decorator = aroundWork(handler => async (request, store, settings) => {
  const before = await store.get('experiments', request.param);
  const response = await handler(request, store, settings);
  return isSuccess(response) && before !== undefined ? success(request, before) : response;
});

/** Computes the quality score after the answer, which shows the earlier score and no manual scores. */
const scoresLater: Decorator = aroundWork(handler => async (request, store, settings) => {
  const before = await store.get('experiments', request.param);
  const response = await handler(request, store, settings);
  if (!isSuccess(response) || before === undefined) return response;
  const { manualQualityScores: _, ...shown } = (response.body as { data: Mutable }).data;
  return success(request, { ...shown, qualityScore: before.qualityScore });
});

// biome-ignore format: a table
export const formDialects: readonly Dialect[] = [
  { id: 'nulls-in-turn',            section: '2',    title: 'shows null for what is not set where null is documented, and leaves it out the next time', decorator: inTurn(nulls, noNulls) },
  { id: 'owner-now-and-then',       section: '2.1',  title: 'leaves the owner out of every third entity that it shows',                    decorator: ownerSometimes },
  { id: 'members-that-move',        section: '2',    title: 'adds members of its own to every object, which never stand still',            endpoints: [...taggedKinds, ...metrics, 'list-segments', 'list-config-versions', 'update-environments'], decorator: stamped },
  { id: 'gate-fields-once-sent',    section: '2.3',  title: 'shows tags and `measureMetricLifts` of a gate only once they were sent',       endpoints: gates, mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'] }, changes: ['gates/*/measureMetricLifts', 'gates/*/tags'], decorator: sinceSent('measureMetricLifts', 'tags') },
  { id: 'tags-folded-when-stored',  section: '2',    title: 'answers with the tags that were sent, and keeps them in lower case',           endpoints: taggedKinds, mayWarn: ['echo.order-and-space'], changes: ['*/*/tags'], decorator: foldsTags },
  { id: 'metric-times-rounded',     section: '2.7',  title: 'lists the times at which metrics were created to the hour',                    endpoints: ['list-event-metrics'], decorator: toTheHour },
  { id: 'metric-lineage-later',     section: '2.7',  title: 'answers a creation without a lineage, and lists it with one',                  endpoints: metrics, mayBeUntested: { checks: ['create-metric/*', 'list-event-metrics/*'] }, decorator: lineageLater },
  { id: 'metric-defaults-later',    section: '2.7',  title: 'answers a creation with what was sent, and lists it with all defaults',        endpoints: metrics, decorator: defaultsLater },
  { id: 'groups-enabled-later',     section: '4.8',  title: 'answers the enabling of groups with the experiment as it was',                endpoints: ['enable-groups'], decorator: groupsLater },
  { id: 'scores-computed-later',    section: '2.5',  title: 'computes the quality score of an experiment later, and shows no scores written by hand', endpoints: ['update-experiment'], mayWarn: ['meaning.quality-scores-added'], decorator: scoresLater },
];
