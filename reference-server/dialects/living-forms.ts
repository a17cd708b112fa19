import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import {
  answeredFrom,
  counting,
  type Decorator,
  drop,
  number,
  onEntity,
  onShownObject,
  perServer,
  sentBy,
  shown,
  stores,
  text,
  without,
} from '../decorators/index.ts';
import { all, type DialectTable, gates, metrics, sources, unproven } from './dialect.ts';
import { foldTags, noNulls, nullsEverywhere } from './shapes.ts';

/** Services that show an entity in several forms, complete it late, or store texts in a normalised form. */

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

const ownerSometimes = counting(next =>
  onEntity(entity => {
    if (next() % 3 === 0) drop('owner')(entity);
  }),
);

/** Adds undocumented members at every depth, which change with every answer. */
const stamped = counting(next => onShownObject(object => ({ ...object, _etag: `W/"${next()}"`, _readAt: next() })));

/** Shows these members of an entity only after a request has sent them. */
const sinceSent = (...names: readonly string[]): Decorator =>
  perServer(() => {
    const sent = new Set<string>();
    return onEntity((entity, request) => {
      for (const name of Object.keys(sentBy(request))) sent.add(`${request.param} ${name}`);
      return without(entity, name => names.includes(name) && !sent.has(`${request.param} ${name}`));
    });
  });

/** Answers tags as sent, and stores them in lower case, each once. */
const foldsTags = stores(({ value }) => {
  foldTags(value);
  return value;
});

const hour = 3_600_000;
const toTheHour = shown(
  'createdTime',
  number(time => Math.floor(time / hour) * hour),
);

/** Writes an instant anew, as a library does: in UTC, without a fraction that is zero. */
const endTimeAnew = shown(
  'analysisEndTime',
  text(time => new Date(time).toISOString().replace(/\.0+Z$/, 'Z')),
);

/** Computes the lineage of a metric after its creation, which shows it empty. */
export const lineageLater = onEntity((entity, request) =>
  request.endpoint === 'create-metric' ? { ...entity, lineage: { events: [], metrics: [] } } : entity,
);

/** Answers a creation with the members that were sent or are required; lists add the defaults. */
const defaultsLater = onEntity((entity, request) => {
  const { required = [] } = endpoints['create-metric'].data as { required?: readonly string[] };
  const kept = new Set([...required, 'directionality', 'lineage', ...Object.keys(sentBy(request))]);
  return request.endpoint === 'create-metric' ? without(entity, name => !kept.has(name)) : entity;
});

/** Enables groups after the answer, which shows the earlier state. */
const groupsLater = answeredFrom('experiments', before => before);

/** Computes the quality score after the answer, which shows the earlier score and no manual scores. */
const scoresLater = answeredFrom('experiments', ({ qualityScore }, { manualQualityScores: _, ...now }) => ({
  ...now,
  qualityScore,
}));

// biome-ignore format: a table
export const formDialects: DialectTable = [
  ['nulls-in-turn',           '2',   all,                                                                                          'shows null for what is not set where null is documented, and leaves it out the next time', inTurn(nullsEverywhere, noNulls)],
  ['owner-now-and-then',      '2.1', all,                                                                                          'leaves the owner out of every third entity that it shows',                                 ownerSometimes],
  ['members-that-move',       '2',   [...taggedKinds, ...metrics, 'list-segments', 'list-config-versions', 'update-environments'], 'adds members of its own to every object, which never stand still',                         stamped],
  ['gate-fields-once-sent',   '2.3', gates,                                                                                        'shows tags and `measureMetricLifts` of a gate only once they were sent',                   sinceSent('measureMetricLifts', 'tags'), { ...unproven, changes: ['gates/*/measureMetricLifts', 'gates/*/tags'] }],
  ['tags-folded-when-stored', '2',   taggedKinds,                                                                                  'answers with the tags that were sent, and keeps them in lower case',                       foldsTags, { mayWarn: ['echo.order-and-space'], changes: ['*/*/tags'] }],
  ['metric-times-rounded',    '2.7', 'list-event-metrics',                                                                       'lists the times at which metrics were created to the hour',                                toTheHour],
  ['metric-lineage-later',    '2.7', metrics,                                                                                      'answers a creation without a lineage, and lists it with one',                              lineageLater, unproven],
  ['metric-defaults-later',   '2.7', metrics,                                                                                      'answers a creation with what was sent, and lists it with all defaults',                    defaultsLater],
  ['end-time-anew',           '2.5', ['update-experiment', 'enable-groups'], 'writes the end of an analysis anew, as its library writes times', endTimeAnew],
  ['groups-enabled-later',    '4.8', 'enable-groups',                                                                            'answers the enabling of groups with the experiment as it was',                             groupsLater],
  ['scores-computed-later',   '2.5', 'update-experiment',                                                                        'computes the quality score of an experiment later, and shows no scores written by hand',   scoresLater, { mayWarn: ['meaning.quality-scores-added'] }],
];
