import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import {
  alter,
  drop,
  isNullable,
  list,
  number,
  onEntity,
  onShownObject,
  sentBy,
  shown,
  shows,
  without,
} from '../decorators/index.ts';
import { all, type DialectTable, experiments, gates, metrics, sources } from './dialect.ts';

/** Fewer, additional and different members of responses (section 2). */

const extra = { _links: { self: '/self', more: [null, { deep: true }] }, 'x-revision': 7, nothing: null };

/** Nested objects that clients send back as shown, with the additional members. */
const sentBack = ['*/*/reviewSettings', '*/*/idTypeMapping', '*/*/customFieldMapping'];

/** The members without which the effect of an operation is not visible. */
const telling: readonly string[] = ['version', 'description', 'directionality'];

/** Shows only required members, members that were sent, and the named members. */
const only = (named: (id: EndpointId) => readonly string[]) =>
  onEntity((entity, request) => {
    const { data } = endpoints[request.endpoint];
    const required: readonly string[] = 'required' in data ? data.required : [];
    const kept = new Set([...required, ...named(request.endpoint), ...Object.keys(sentBy(request))]);
    return without(entity, name => !kept.has(name));
  });

const nothingMore = only(() => []);

const times = ['createdTime', 'lastModifiedTime', 'startTime', 'endTime', 'decisionTime'];

/** Shows the id that was sent, else that of the prompt: versions have none of their own. */
const promptId = onEntity((entity, request) => ({ ...entity, id: sentBy(request).id ?? request.param }));

const otherVersion = (version: (real: number) => number) => shown('version', number(version));

/** The days that a null of `scheduledReloadDays` means (section 2.5). */
const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** Shows null for what is not set, where null is documented. */
export const nullsEverywhere = onShownObject((object, properties) => ({
  ...Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => (isNullable(schema) ? [[name, null]] : [])),
  ),
  ...object,
}));

/** Omits null members that the specification lets be absent. */
export const noNulls = onShownObject((object, _properties, required) =>
  without(object, (name, value) => value === null && !required.includes(name)),
);

/** Writes tags in lower case, sorted, each once. */
export const foldTags = alter(
  'tags',
  list(tags => [...new Set(tags.map(tag => String(tag).toLowerCase()))].sort()),
);

// biome-ignore format: a table
export const shapeDialects: DialectTable = [
  ['sparse',           '2, 4',      all,                                          'shows what must be there, what section 4 names, what was sent, and little else',       only(id => [...endpoints[id].expected, ...telling]), { untested: ['disable-config/ended-configs', 'patch-gate/lists', 'update-qualifying-event/disposable'] }],
  ['sparse-sources',   '4.3, 4.14', ['update-qualifying-event', 'list-event-metrics'], 'shows of metric sources what must be there and what was sent, of metrics their lineage too, and nothing else', only(() => ['lineage']), { warns: ['presence.named'] }],
  ['sparse-gates',     '2.3, 4.6',  gates,               'shows of a gate its id, isEnabled, version and what was sent, and nothing else',       nothingMore, { untested: ['patch-gate/lists'], mayBeUntested: { checks: ['disable-gate/neighbours', 'patch-gate/races', 'disable-gate/races'] } }],
  ['sparse-metrics',   '2.7, 4.9',  'create-metric',                              'shows of a created metric its id and what was sent, and nothing else',                 nothingMore, { untested: ['create-metric/table-notes'] }],
  ['sparse-versions',  '2.4, 4.2',  'list-config-versions',                       'shows of the versions of a config the id of the config, their numbers, and nothing else',             nothingMore, { untested: ['disable-config/ended-configs', 'archive-config/ended-configs', 'archive-config/sequences'] }],
  ['extra-members',    '2',         all,                                          'adds members of its own to every documented object',                                   onShownObject(object => ({ ...object, ...extra })), { changes: sentBack }],
  ['nulls-shown',      '2',         all,                                          'shows null for what is not set, where null is documented',                             nullsEverywhere],
  ['nulls-left-out',   '2',         all,                                          'leaves out what is null',                                                              noNulls],
  ['owner-undefined',  '2.1',       all,                                          'knows no owners',                                                                      shows(drop('owner'))],
  ['times-in-seconds', '2.1',       all,                                          'counts its times in seconds',                                                          onEntity(entity => { for (const name of times) alter(name, number(time => Math.floor(time / 1000)))(entity);})],
  ['version-steps',    '9',         all,                                          'counts versions in steps of ten',                                                      otherVersion(version => version * 10)],
  ['version-constant', '9',         [...gates, ...experiments],   'never counts the versions of gates and experiments',                                   otherVersion(() => 1)],
  ['null-days-as-all', '2.5',       experiments,                                  'shows all days where the days of a reload are null',                                   shown('scheduledReloadDays', (days: unknown) => days ?? everyDay)],
  ['prompt-id-shown',  '4.13',      'create-prompt-version',                      'shows as the id of a version that got none the id of its prompt',                      promptId],
  ['tags-folded',      '2',         [...gates, ...sources, ...experiments, ...metrics],   'sorts tags, in lower case',                                                            shows(foldTags), { warns: ['echo.order-and-space'], changes: ['*/*/tags'] }],
];
