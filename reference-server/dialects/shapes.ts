import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { alter, drop } from '../decorators/members.ts';
import { sentBy } from '../decorators/operations.ts';
import { onEntity, shows } from '../decorators/responses.ts';
import { isNullable, onShownObject, without } from '../decorators/schemas.ts';
import type { Dialect } from './dialect.ts';

/** Fewer, more and other members of responses (section 2). */

const extra = { _links: { self: '/self', more: [null, { deep: true }] }, 'x-revision': 7, nothing: null };

/** Objects within entities that come back as they were shown, additions and all. */
const sentBack = ['*/*/reviewSettings', '*/*/idTypeMapping', '*/*/customFieldMapping'];

/** Members without which nothing of an operation's effect is visible. */
const telling: readonly string[] = ['version', 'description', 'directionality'];

/** Shows what a response must have, what was sent, and what is named here: nothing else. */
const only = (named: (id: EndpointId) => readonly string[]) =>
  onEntity((entity, request) => {
    const { data } = endpoints[request.endpoint];
    const required: readonly string[] = 'required' in data ? data.required : [];
    const kept = new Set([...required, ...named(request.endpoint), ...Object.keys(sentBy(request))]);
    return without(entity, name => !kept.has(name));
  });

const nothingMore = only(() => []);

const times = ['createdTime', 'lastModifiedTime', 'startTime', 'endTime', 'decisionTime'];
const inSeconds = onEntity(entity => {
  for (const name of times) alter(name, time => (typeof time === 'number' ? Math.floor(time / 1000) : time))(entity);
});

const otherVersion = (version: (real: number) => number) =>
  shows(alter('version', real => (typeof real === 'number' ? version(real) : real)));

const nullsEverywhere = onShownObject((object, properties) => ({
  ...Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => (isNullable(schema) ? [[name, null]] : [])),
  ),
  ...object,
}));

/** Only what the specification lets be absent: members that must be there stay, null or not. */
const noNulls = onShownObject((object, _properties, required) =>
  without(object, (name, value) => value === null && !required.includes(name)),
);

/** The same tags in lower case, sorted, each once. */
const foldedTags = shows(
  alter('tags', tags =>
    Array.isArray(tags) ? [...new Set((tags as unknown[]).map(tag => String(tag).toLowerCase()))].sort() : tags,
  ),
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
  { id: 'sparse',             section: '2, 4',      title: 'shows what must be there, what section 4 names, what was sent, and little else',   decorator: only(id => [...endpoints[id].expected, ...telling]) },
  { id: 'sparse-sources',     section: '4.3, 4.14', title: 'shows of metric sources what must be there and what was sent, of metrics their lineage too, and nothing else', warns: ['presence.named'], endpoints: ['update-qualifying-event', 'list-event-metrics'], decorator: only(() => ['lineage']) },
  { id: 'sparse-gates',       section: '2.3, 4.6',  title: 'shows of a gate its id, isEnabled and what was sent, and nothing else', endpoints: ['patch-gate', 'disable-gate'], mayBeUntested: { checks: ['disable-gate/neighbours', 'patch-gate/races', 'disable-gate/races'] }, decorator: nothingMore },
  { id: 'sparse-metrics',     section: '2.7, 4.9',  title: 'shows of a created metric its id and what was sent, and nothing else', endpoints: ['create-metric'], decorator: nothingMore },
  { id: 'sparse-versions',    section: '2.4, 4.2',  title: 'shows of the versions of a config the id of the config, and nothing else', endpoints: ['list-config-versions'], decorator: nothingMore },
  { id: 'extra-members',      section: '2',         title: 'adds members of its own to every documented object',                                decorator: onShownObject(object => ({ ...object, ...extra })), changes: sentBack },
  { id: 'nulls-shown',        section: '2',         title: 'shows null for what is not set, where null is documented',                          decorator: nullsEverywhere },
  { id: 'nulls-left-out',     section: '2',         title: 'leaves out what is null',                                                           decorator: noNulls },
  { id: 'owner-undefined',    section: '2.1',       title: 'knows no owners',                                                                   decorator: shows(drop('owner')) },
  { id: 'times-in-seconds',   section: '2.1',       title: 'counts its times in seconds',                                                       decorator: inSeconds },
  { id: 'version-steps',      section: '9',         title: 'counts versions in steps of ten',                                                   decorator: otherVersion(version => version * 10) },
  { id: 'version-constant',   section: '9',         title: 'never counts the versions of gates and experiments',                                endpoints: withVersion, decorator: otherVersion(() => 1) },
  { id: 'tags-folded',        section: '2',         title: 'sorts tags, in lower case',                                                         warns: ['echo.order-and-space'], endpoints: withTags, changes: ['*/*/tags'], decorator: foldedTags },
];
