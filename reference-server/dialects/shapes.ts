import type { EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { type Entity, onEntity } from './answering.ts';
import type { Dialect } from './dialect.ts';
import { entityShape, isNullable, onShape } from './shaped.ts';

/** Fewer, more and other members of answers (section 2). */

const extra = { _links: { self: '/self', more: [null, { deep: true }] }, 'x-revision': 7, nothing: null };

const without = (entity: Entity, leaveOut: (name: string, value: unknown) => boolean): Entity =>
  Object.fromEntries(Object.entries(entity).filter(([name, value]) => !leaveOut(name, value)));

/** Members without which nothing can be seen of an operation's effect. */
const telling: readonly string[] = ['version', 'description', 'directionality'];

/** What an answer must have, what was sent, and what is named here: nothing else. */
const only = (named: (id: EndpointId) => readonly string[]) =>
  onEntity((entity, { endpoint, body }) => {
    const sent = Object.keys((body as object | undefined) ?? {});
    const kept = new Set([...entityShape(endpoint).required, ...named(endpoint), ...sent]);
    return without(entity, name => !kept.has(name));
  });

const nothingMore = only(() => []);

const times = ['createdTime', 'lastModifiedTime', 'startTime', 'endTime', 'decisionTime'];
const inSeconds = onEntity(entity =>
  Object.fromEntries(
    Object.entries(entity).map(([name, value]) => [
      name,
      times.includes(name) && typeof value === 'number' ? Math.floor(value / 1000) : value,
    ]),
  ),
);

const otherVersion = (version: (real: number) => number) =>
  onEntity(entity => (typeof entity.version === 'number' ? { ...entity, version: version(entity.version) } : entity));

const nullsEverywhere = onShape((object, { properties }) => ({
  ...Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => (isNullable(schema) ? [[name, null]] : [])),
  ),
  ...object,
}));

/** Only what the specification lets be absent: members that must be there stay, null or not. */
const noNulls = onShape((object, { required }) =>
  without(object, (name, value) => value === null && !required.includes(name)),
);

/** The same tags in lower case, sorted, each once. */
const foldedTags = onEntity(entity =>
  Array.isArray(entity.tags)
    ? { ...entity, tags: [...new Set(entity.tags.map(tag => String(tag).toLowerCase()))].sort() }
    : entity,
);

const withTags: readonly EndpointId[] = [
  'patch-gate',
  'disable-gate',
  'update-qualifying-event',
  'list-qualifying-events',
  'update-experiment',
  'enable-groups',
  'create-metric',
  'list-event-metrics',
];
const withVersion: readonly EndpointId[] = ['patch-gate', 'disable-gate', 'update-experiment', 'enable-groups'];

// biome-ignore format: a table
export const shapeDialects: readonly Dialect[] = [
  { id: 'sparse',             section: '2, 4',      title: 'shows what must be there, what section 4 names, what was sent, and little else',   ...only(id => [...endpoints[id].expected, ...telling]) },
  { id: 'sparse-sources',     section: '4.3, 4.14', title: 'shows of metric sources what must be there and what was sent, of metrics their lineage too, and nothing else', warns: ['presence.named'], endpoints: ['update-qualifying-event', 'list-event-metrics'], ...only(() => ['lineage']) },
  { id: 'sparse-gates',       section: '2.3, 4.6',  title: 'shows of a gate its id, isEnabled and what was sent, and nothing else', endpoints: ['patch-gate', 'disable-gate'], ...nothingMore },
  { id: 'sparse-metrics',     section: '2.7, 4.9',  title: 'shows of a created metric its id and what was sent, and nothing else', endpoints: ['create-metric'], ...nothingMore },
  { id: 'sparse-versions',    section: '2.4, 4.2',  title: 'shows of the versions of a config the id of the config, and nothing else', endpoints: ['list-config-versions'], ...nothingMore },
  { id: 'extra-members',      section: '2',         title: 'adds members of its own to every documented object',                                ...onShape(object => ({ ...object, ...extra })) },
  { id: 'nulls-shown',        section: '2',         title: 'shows null for what is not set, where null is documented',                          ...nullsEverywhere },
  { id: 'nulls-left-out',     section: '2',         title: 'leaves out what is null',                                                           ...noNulls },
  { id: 'owner-undefined',    section: '2.1',       title: 'knows no owners',                                                                   ...onEntity(entity => without(entity, name => name === 'owner')) },
  { id: 'times-in-seconds',   section: '2.1',       title: 'counts its times in seconds',                                                       ...inSeconds },
  { id: 'version-steps',      section: '9',         title: 'counts versions in steps of ten',                                                   ...otherVersion(version => version * 10) },
  { id: 'version-constant',   section: '9',         title: 'never counts the versions of gates and experiments',                                endpoints: withVersion, ...otherVersion(() => 1) },
  { id: 'tags-folded',        section: '2',         title: 'sorts tags, in lower case',                                                         warns: ['echo.order-and-space'], endpoints: withTags, ...foldedTags },
];
