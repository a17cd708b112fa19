import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { grouped } from '../../../contracts/grouped.ts';
import { asText, isObject, type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { caseOf, isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';

/**
 * Where the value of a member comes from: `own`, the same case wrote it; `left`, another case wrote it; `start`, it
 * was there before the run; `effect`, nobody wrote it, and it is not what it was; `sequel`, likewise, but another case
 * wrote something of the entity.
 */
type Origin = 'own' | 'left' | 'start' | 'effect' | 'sequel';

/** What is known of the members of an entity at the moment of an answer. */
export interface Origins {
  of(member: string): Origin;
  /** Whether the server took the member with the last write that may have set it, whatever it shows of it. */
  isTaken(member: string): boolean;
  /** True of a value that the run itself wrote to this member, or that the member first showed. */
  isKnown(member: string, value: unknown): boolean;
  /** By how much the version differs from the one that the case saw before; undefined where it saw none. */
  readonly versionStep?: number | undefined;
}

/** What is known of the entities that the answers of a run show: by the id of the exchange and the pointer of the entity. */
export type OriginsOfRun = ReadonlyMap<string, Origins>;

/** What the run knows of one entity. */
interface Known {
  readonly first: Map<string, string>;
  /** The last write of each member: its case, when its answer was there, and whether another was under way with it. */
  readonly writers: Map<string, { readonly of: string | null; readonly atMs: number; readonly isRaced: boolean }>;
  readonly taken: Set<string>;
  /** The values that accepted requests sent, by member. */
  readonly values: Map<string, Set<string>>;
  /** The version that was seen last, the case that saw it, and when the answer was there. */
  version: { readonly value: number; readonly of: string | null; readonly atMs: number } | undefined;
  /** The case of the last accepted write; undefined before any. */
  writer: string | null | undefined;
  isOwn: boolean;
}

/** Members that an operation which switches an entity moves although no request names them. */
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

/** True of an operation on a collection that operations of the API write. */
export const isWritten = ({ collection }: Endpoint): boolean => writtenCollections.has(collection);

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** The key of an entity among those of its kind; null where the answer does not say which one it is. */
function keyOf(row: Endpoint, entity: Members, param: string | undefined): string | null {
  if (row.list) {
    const [member] = row.itemKey;
    const key = member === undefined ? undefined : entity[member];
    // Versions are counted anew in each entity.
    const of = member === 'version' ? `${param} ` : '';
    return key === undefined ? null : `${row.resource} ${of}${asText(key)}`;
  }
  if (row.action === 'create') return `${row.resource} ${asText(entity.id ?? entity.name ?? '')}`;
  return param === undefined ? null : `${row.resource} ${param}`;
}

/** The members that an accepted request wrote. */
const writtenBy = ({ request: { body } }: RecordedExchange): JsonObject =>
  isObject(body) && body.dryRun !== true ? body : {};

/** The entities that an answer shows, each with its pointer. */
function shownEntities({ endpoint, value }: RecordedExchange): { pointer: string; entity: Members }[] {
  const { data } = membersOf(value);
  if (!endpointRow(endpoint).list) return isObject(data) ? [{ pointer: '/data', entity: data }] : [];
  const items = Array.isArray(data) ? data : [];
  return items.flatMap((entity, index) => (isObject(entity) ? [{ pointer: `/data/${index}`, entity }] : []));
}

/** When each write to an entity was under way, by the key of the entity; what was refused may have counted a version too. */
function writesOf({ exchanges }: Recording): ReadonlyMap<string, readonly RecordedExchange[]> {
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

/** Of an entity that its answer does not name nothing is known but that it is there. */
const unnamed: Origins = { of: () => 'start', isTaken: () => false, isKnown: () => false };

/**
 * Follows a run through its exchanges, in the order in which they came, and tells of each entity that an answer shows
 * where the values of its members come from.
 */
export const originsOf = memoized((recording: Recording): OriginsOfRun => {
  const entities = new Map<string, Known>();
  const origins = new Map<string, Origins>();
  const writes = writesOf(recording);
  for (const exchange of recording.exchanges) {
    if (!isAcceptedStatus(exchange) || !exchange.request.own) continue;
    const row = endpointRow(exchange.endpoint);
    // What no operation writes was there before.
    if (!isWritten(row)) continue;
    const ownCase = caseOf(exchange.id, recording);
    const { begunMs = 0, answeredMs = 0 } = exchange;
    const written = writtenBy(exchange);
    const moves = ['disable', 'enable', 'archive'].includes(row.action);
    for (const { pointer, entity } of shownEntities(exchange)) {
      const key = keyOf(row, entity, exchange.request.param);
      if (key === null) {
        origins.set(`${exchange.id} ${pointer}`, unnamed);
        continue;
      }
      const known = entities.get(key) ?? newlyKnown();
      entities.set(key, known);
      if (row.action === 'create') known.isOwn = true;
      if (Object.keys(written).length > 0) known.writer = ownCase;
      // An update may replace the whole (section 4.4), and then leaves nothing of the one before.
      if (row.action === 'update') known.taken.clear();
      for (const [member, value] of row.list ? [] : Object.entries(written)) {
        known.taken.add(member);
        known.values.set(member, (known.values.get(member) ?? new Set()).add(textOf(value)));
      }
      const taken = new Set(known.taken);
      const places = new Map<string, Origin>();
      for (const [member, value] of Object.entries(entity)) {
        if (!row.list && Object.hasOwn(written, member)) {
          const isRaced = begunMs < (known.writers.get(member)?.atMs ?? begunMs);
          known.writers.set(member, { of: ownCase, atMs: answeredMs, isRaced });
        }
        places.set(member, originOf(known, member, value, ownCase, moves && switched.has(member)));
      }
      const { version } = entity;
      const before = known.version;
      // Of requests at once nobody knows which of them counted the version on first, nor whether another one between did.
      const isBetween = (one: RecordedExchange): boolean =>
        one !== exchange && (one.begunMs ?? 0) < answeredMs && (one.answeredMs ?? 0) > (before?.atMs ?? 0);
      const follows = before?.of === ownCase && begunMs >= before.atMs && writes.get(key)?.some(isBetween) !== true;
      const isCounted = typeof version === 'number';
      if (isCounted && !row.list) known.version = { value: version, of: ownCase, atMs: answeredMs };
      origins.set(`${exchange.id} ${pointer}`, {
        of: member => places.get(member) ?? (known.isOwn ? 'own' : 'start'),
        isTaken: member => taken.has(member),
        isKnown: (member, value) =>
          known.values.get(member)?.has(textOf(value)) === true || known.first.get(member) === textOf(value),
        versionStep: isCounted && follows && before !== undefined ? version - before.value : undefined,
      });
    }
  }
  return origins;
});

function originOf(known: Known, member: string, value: unknown, ownCase: string | null, isMoved: boolean): Origin {
  if (known.isOwn) return 'own';
  const writer = known.writers.get(member);
  // Which of two writes at once is stored is left to the server.
  if (writer !== undefined) return writer.of === ownCase && !writer.isRaced ? 'own' : 'left';
  if (isMoved) return 'effect';
  const now = textOf(value);
  const first = known.first.get(member) ?? now;
  known.first.set(member, first);
  if (first === now) return 'start';
  return known.writer === undefined || known.writer === ownCase ? 'effect' : 'sequel';
}
