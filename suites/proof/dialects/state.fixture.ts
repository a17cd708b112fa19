import { isDeepStrictEqual } from 'node:util';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, membersOf } from '../../../contracts/json.ts';
import type { LeftBehind } from '../../../contracts/report/journal.ts';
import { type CollectionName, collectionNames } from '../../../reference-server/entities.ts';
import type { Snapshot } from '../../../reference-server/index.ts';
import type { RunRecord } from '../testing/reference-run.ts';

/** Members that every write updates and that cannot be restored. */
const stamps: ReadonlySet<string> = new Set([
  'version',
  'lastModifiedTime',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
]);

/** Lists of names without order: a different order is no change. */
const sets: ReadonlySet<string> = new Set([
  'tags',
  'targetApps',
  'holdoutIDs',
  'allowedReviewers',
  'customFieldMapping',
  'unitTypes',
]);

/** The collection of the store to which the operations of a resource write. */
const stored = {
  environment: 'environments',
  config: 'configs',
  'qualifying-event': 'qualifyingEvents',
  experiment: 'experiments',
  gate: 'gates',
  metric: 'metrics',
  'prompt-version': 'prompts',
} as const satisfies Readonly<Record<string, CollectionName>>;

/** A changed member of an entity. For a new or removed entity the member is `*`. */
interface Difference {
  readonly collection: CollectionName;
  readonly id: string;
  readonly member: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Sorts the members of the sets in a value, at every depth. */
function comparable(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => comparable('', item));
    return sets.has(name) ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, comparable(member, inner)]));
}

function differencesOf(collection: CollectionName, before: Snapshot, after: Snapshot): Difference[] {
  const [was, is] = [new Map<string, unknown>(before[collection]), new Map<string, unknown>(after[collection])];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id): Difference[] => {
    if (was.get(id) === is.get(id)) return [];
    if (!was.has(id) || !is.has(id)) return [{ collection, id, member: '*', before: was.get(id), after: is.get(id) }];
    const [old, now] = [membersOf(was.get(id)), membersOf(is.get(id))];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap(member =>
      stamps.has(member) || isDeepStrictEqual(comparable(member, old[member]), comparable(member, now[member]))
        ? []
        : [{ collection, id, member, before: old[member], after: now[member] }],
    );
  });
}

const isNamedBy = (pattern: string, { collection, id, member }: Difference): boolean =>
  pattern.split('/').every((step, index) => step === '*' || step === [collection, id, member][index]);

/** True if a reported name covers an entity: the common part of created names followed by `*`, or its own name. */
const isMeant = (told: string, id: string): boolean =>
  told.endsWith('*') ? id.includes(told.slice(0, -1)) : told === id || id === '' || told === '';

/** True if a report of what was left behind names a difference: the entity, and the member if it can be restored. */
function isTold({ endpoint, id, what }: LeftBehind, difference: Difference): boolean {
  const { resource, leaves } = endpointRow(endpoint as EndpointId);
  if (stored[resource as keyof typeof stored] !== difference.collection) return false;
  if (resource === 'environment') return what.includes(difference.id) || what.includes(difference.member);
  return isMeant(id, difference.id) && (leaves !== undefined || what.includes(difference.member));
}

/** Compares how many entities or versions a run reported as created with how many there are. */
function miscounted(record: RunRecord, changes: readonly string[]): string[] {
  const told = (endpoint: EndpointId): number =>
    record.events
      .filter(event => event.event === 'left-behind')
      .filter(left => left.endpoint === endpoint)
      .reduce((sum, { count = 1 }) => sum + count, 0);
  const versions = (snapshot: Snapshot): number => snapshot.prompts.reduce((sum, [, { count }]) => sum + count, 0);
  const made = {
    'create-metric': record.after.metrics.length - record.before.metrics.length,
    'create-prompt-version': versions(record.after) - versions(record.before),
  } as const;
  return (Object.keys(made) as (keyof typeof made)[]).flatMap(endpoint => {
    const { resource } = endpointRow(endpoint);
    if (changes.some(path => path.startsWith(stored[resource as keyof typeof stored]))) return [];
    return made[endpoint] === told(endpoint) ? [] : [`${endpoint}: left ${made[endpoint]}, told ${told(endpoint)}`];
  });
}

const shortened = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 120);

/**
 * Returns the unreported differences in the whole state of a server after a run, one line each. `changes` are paths
 * (`collection/id/member`, `*` for any) that others changed. Modification stamps are ignored, and the number of created
 * entities must match.
 */
export function damage(record: RunRecord, changes: readonly string[] = []): readonly string[] {
  const told = record.events.filter(event => event.event === 'left-behind');
  const untold = collectionNames
    .flatMap(collection => differencesOf(collection, record.before, record.after))
    .filter(one => !changes.some(path => isNamedBy(path, one)) && !told.some(left => isTold(left, one)));
  return [
    ...untold.map(
      ({ collection, id, member, before, after }) =>
        `${collection}/${id}/${member}: was ${shortened(before)}, is ${shortened(after)}`,
    ),
    ...miscounted(record, changes),
  ];
}
