import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { grouped } from '../../../contracts/grouped.ts';
import { asText, canonicalJson, isObject, type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { itemsOf } from '../../protocol/answer.ts';
import { entryOf } from '../../protocol/entries.ts';
import { caseOf, isAcceptedStatus, isDryRun, type RecordedExchange, type Recording } from '../record/recording.ts';

/**
 * The origin of a member's value. `own`: this case wrote it; `left`: another case wrote it; `start`: it was there
 * before the run; `effect`: it changed without being written; `sequel`: like `effect`, but another case wrote to the
 * entity.
 */
type Origin = 'own' | 'left' | 'start' | 'effect' | 'sequel';

/** What is known of the members of an entity when an answer shows it. */
export interface Origins {
  of(member: string): Origin;
  /** True if the server accepted a write of the member since the last replacement, shown or not. */
  isTaken(member: string): boolean;
  /** True if the run wrote this value to the member, or if the member showed it first. */
  isKnown(member: string, value: unknown): boolean;
  /** The increase of the version since the case last saw it; undefined if it cannot be told. */
  readonly versionStep?: number | undefined;
}

/** The origins of all shown entities, by exchange id and pointer of the entity. */
export type OriginsOfRun = ReadonlyMap<string, Origins>;

/** The knowledge of one entity during a run. */
interface Known {
  readonly first: Map<string, string>;
  /** The last write of each member: its case, the time of its answer, and whether an earlier write overlapped it. */
  readonly writers: Map<string, { readonly of: string | null; readonly atMs: number; readonly isRaced: boolean }>;
  readonly taken: Set<string>;
  /** The values that accepted requests sent, by member. */
  readonly values: Map<string, Set<string>>;
  /** The last version seen, the case that saw it, and the time of the answer. */
  version: { readonly value: number; readonly of: string | null; readonly atMs: number } | undefined;
  /** The case of the last accepted write; undefined before the first. */
  writer: string | null | undefined;
  isOwn: boolean;
}

/** Members that enabling, disabling or archiving changes, although no request names them. */
export const switched: ReadonlySet<string> = new Set([
  'isEnabled',
  'status',
  'typeReason',
  'groups',
  'isArchived',
  'archived',
]);

const writtenCollections: ReadonlySet<string> = new Set(
  endpointIds.flatMap(id => (endpointRow(id).effect === 'read' ? [] : [endpointRow(id).collection])),
);

/** True if some operation of the API writes to the collection of this one. */
export const isWritten = ({ collection }: Endpoint): boolean => writtenCollections.has(collection);

/** Returns the key of an entity; null if the answer does not identify it. */
function keyOf(row: Endpoint, entity: Members, param: string | undefined): string | null {
  if (row.list) {
    const [member] = row.itemKey;
    const key = member === undefined ? undefined : entity[member];
    // Versions are counted separately for each entity.
    const of = member === 'version' ? `${param} ` : '';
    return key === undefined ? null : `${row.resource} ${of}${asText(key)}`;
  }
  if (row.action === 'create') {
    const created = entity.id ?? entity.name;
    return created === undefined ? null : `${row.resource} ${asText(created)}`;
  }
  return param === undefined ? null : `${row.resource} ${param}`;
}

/** True for an operation that enables, disables or archives. */
export const isSwitching = ({ action }: Endpoint): boolean => ['disable', 'enable', 'archive'].includes(action);

/** Returns the members that an accepted request wrote. */
const writtenBy = (exchange: RecordedExchange): JsonObject =>
  isObject(exchange.request.body) && !isDryRun(exchange) ? exchange.request.body : {};

/** Returns the writes to each entity, by its key. Includes refused ones, which may have raised the version too. */
function writesOf({ exchanges }: Pick<Recording, 'exchanges'>): ReadonlyMap<string, readonly RecordedExchange[]> {
  return grouped(
    exchanges.filter(({ endpoint }) => endpointRow(endpoint).effect !== 'read'),
    ({ endpoint, request: { param } }) => `${endpointRow(endpoint).resource} ${param}`,
  );
}

const newlyKnown = (): Known => ({
  first: new Map(),
  writers: new Map(),
  taken: new Set(),
  values: new Map(),
  version: undefined,
  writer: undefined,
  isOwn: false,
});

/** The origins for an entity that its answer does not identify: only its existence is known. */
const unnamed: Origins = { of: () => 'start', isTaken: () => false, isKnown: () => false };

/** Follows the exchanges of a run in order, and returns the origins of the members of every shown entity. */
export const originsOf = memoized((recording: Pick<Recording, 'exchanges' | 'titles'>): OriginsOfRun => {
  const entities = new Map<string, Known>();
  const origins = new Map<string, Origins>();
  const writes = writesOf(recording);
  for (const exchange of recording.exchanges) {
    if (!isAcceptedStatus(exchange) || !exchange.request.own) continue;
    const row = endpointRow(exchange.endpoint);
    // Skip collections that no operation writes: their values were there before.
    if (!isWritten(row)) continue;
    const ownCase = caseOf(exchange.id, recording);
    const { begunMs = 0, answeredMs = 0 } = exchange;
    const written = writtenBy(exchange);
    for (const { pointer, item: entity } of itemsOf(membersOf(exchange.value), row)) {
      if (!isObject(entity)) continue;
      const key = keyOf(row, entity, exchange.request.param);
      if (key === null) {
        origins.set(`${exchange.id} ${pointer}`, unnamed);
        continue;
      }
      const known = entryOf(entities, key, newlyKnown);
      if (row.action === 'create') known.isOwn = true;
      if (Object.keys(written).length > 0) known.writer = ownCase;
      // An update may replace the whole entity (section 4.4), and with it every earlier write.
      if (row.action === 'update' && !isDryRun(exchange)) known.taken.clear();
      for (const [member, value] of row.list ? [] : Object.entries(written)) {
        known.taken.add(member);
        entryOf(known.values, member, () => new Set()).add(canonicalJson(value));
      }
      const taken = new Set(known.taken);
      const places = new Map<string, Origin>();
      for (const [member, value] of Object.entries(entity)) {
        if (!row.list && Object.hasOwn(written, member)) {
          const isRaced = begunMs < (known.writers.get(member)?.atMs ?? begunMs);
          known.writers.set(member, { of: ownCase, atMs: answeredMs, isRaced });
        }
        places.set(member, originOf(known, member, value, ownCase, isSwitching(row) && switched.has(member)));
      }
      const { version } = entity;
      const before = known.version;
      // With overlapping requests it is unknown which raised the version first, or whether one came between.
      const isBetween = (one: RecordedExchange): boolean =>
        one !== exchange && (one.begunMs ?? 0) < answeredMs && (one.answeredMs ?? 0) > (before?.atMs ?? 0);
      const follows = before?.of === ownCase && begunMs >= before.atMs && !writes.get(key)?.some(isBetween);
      const isCounted = typeof version === 'number';
      if (isCounted && !row.list) known.version = { value: version, of: ownCase, atMs: answeredMs };
      origins.set(`${exchange.id} ${pointer}`, {
        of: member => places.get(member) ?? (known.isOwn ? 'own' : 'start'),
        isTaken: member => taken.has(member),
        isKnown: (member, value) =>
          known.values.get(member)?.has(canonicalJson(value)) === true ||
          known.first.get(member) === canonicalJson(value),
        versionStep: isCounted && follows && before ? version - before.value : undefined,
      });
    }
  }
  return origins;
});

function originOf(known: Known, member: string, value: unknown, ownCase: string | null, isMoved: boolean): Origin {
  if (known.isOwn) return 'own';
  const writer = known.writers.get(member);
  // The server decides which of two overlapping writes is stored.
  if (writer) return writer.of === ownCase && !writer.isRaced ? 'own' : 'left';
  if (isMoved) return 'effect';
  const now = canonicalJson(value);
  const first = known.first.get(member) ?? now;
  known.first.set(member, first);
  if (first === now) return 'start';
  return known.writer === undefined || known.writer === ownCase ? 'effect' : 'sequel';
}
