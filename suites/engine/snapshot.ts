import { isOperation, type Resource, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import { redactedValue } from '../../contracts/redaction/values.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import type { DiscoveredState } from '../protocol/sut.ts';
import { heldName } from '../sut/acceptable.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { type TriedFlags, tryFlags } from './environment-flags.ts';
import { type FixtureReading, restorableResources } from './fixture-reading.ts';
import { isRestoring } from './residue.ts';
import type { RunState } from './run-state.ts';
import { transient, writableOf } from './writable.ts';

/** Entities of one resource by name; under '' the whole set, where the operation replaces it as one. */
type Entities = ReadonlyMap<string, JsonObject>;

/** The state of the fixtures before the run. */
export interface Snapshot extends DiscoveredState {
  /** What could be read of each resource. */
  readonly entities: ReadonlyMap<Resource, Entities>;
  /** The fields that had to be written before an entity, as `entityName` has it, could be read. */
  readonly overwritten: ReadonlyMap<string, readonly string[]>;
}

/** What a snapshot is of, in words: `gate a_gate`, `set of environments`. */
export function entityName({ endpoint, param }: Pick<FixtureSnapshot, 'endpoint' | 'param'>): string {
  const name = resourceNames[endpointRow(endpoint).resource];
  return param === undefined ? `set of ${name}s` : `${name} ${param}`;
}

const restoring = endpointsWhere(isRestoring);

/** Whether an operation puts something back. */
export const putsBack = (endpoint: EndpointId): boolean => restoring.includes(endpoint);

/**
 * Whether an operation is sent a member of an entity to put it back: what it takes, but for what names the entity, what
 * says what to do with the body, and what answers show in another form.
 */
export function isPutBack(endpoint: EndpointId, member: string): boolean {
  const { resource, param, body } = endpointRow(endpoint);
  const { leftOut = [] } = restorableResources[resource] ?? {};
  const isTaken = Object.hasOwn(body?.properties ?? {}, member) && member !== param;
  return isTaken && !transient.has(member) && !leftOut.includes(member);
}

/** The operations that put back what the checks of a collection change. */
export const restoringIn = (lane: string): readonly EndpointId[] =>
  restoring.filter(endpoint => endpointRow(endpoint).collection === lane);

/** The requests that put back what a collection's checks change. */
export function restorations({ entities }: Snapshot, lane: string): readonly FixtureSnapshot[] {
  return restoringIn(lane).flatMap(endpoint => {
    const { resource, param } = endpointRow(endpoint);
    return [...(entities.get(resource) ?? [])].map(([name, entity]) => ({
      event: 'snapshot' as const,
      endpoint,
      ...(param === null ? {} : { param: name }),
      body: Object.fromEntries(Object.entries(entity).filter(([member]) => isPutBack(endpoint, member))),
    }));
  });
}

/**
 * The snapshot of a fixture as a journal may keep it: members that hold a secret are left out, for what is written in
 * its place must never be sent back. Null where its name holds one.
 */
function withoutSecrets(snapshot: FixtureSnapshot, secrets: Secrets): FixtureSnapshot | null {
  if (secrets.redact(snapshot.param ?? '') !== (snapshot.param ?? '')) return null;
  const clean = Object.entries(snapshot.body as JsonObject).filter(member => redactedValue(member, secrets) === member);
  return { ...snapshot, body: Object.fromEntries(clean) };
}

/** What the flags of environments showed when they were tried; nothing where no environments are to be written. */
async function triedFlags({ config, units }: RunState, session: RecordedSession): Promise<TriedFlags> {
  const isWritten = units.some(({ endpoint }) => isOperation(endpointRow(endpoint), 'environment', 'update'));
  return isWritten ? tryFlags(config.target, session) : { refused: new Map(), stuck: [] };
}

/**
 * Reads the fixtures before the first write, emits what would put them back, and tells the guard what may be written.
 * Throws `RunStopped` as sessions do.
 */
export async function takeSnapshot(run: RunState): Promise<Snapshot> {
  const { config, wire, lanes, guard, emit } = run;
  const { target, readOnly } = config;
  const session = openSession(wire, 'preflight');
  const known = new Map<Resource, FixtureReading>();
  for (const endpoint of restoring) {
    const { resource, collection } = endpointRow(endpoint);
    const source = restorableResources[resource];
    if (source === undefined || !lanes.includes(collection) || (readOnly && source.isReadByWriting)) continue;
    known.set(resource, await source.readAll(target, session, readOnly));
  }
  const entities = new Map([...known].map(([resource, fixtures]) => [resource, fixtures.entities]));
  const overwritten = [...known].flatMap(([resource, fixtures]) =>
    [...fixtures.overwritten].map(([name, fields]) => [`${resourceNames[resource]} ${name}`, fields] as const),
  );
  const read = {
    entities,
    overwritten: new Map(overwritten),
    qualifyingEvents: entities.get('qualifying-event') ?? new Map(),
    gates: entities.get('gate') ?? new Map(),
  };
  for (const [name, source] of read.qualifyingEvents)
    wire.held.set(heldName({ endpoint: 'update-qualifying-event', param: name }), source);
  if (readOnly) return read;
  for (const lane of lanes)
    for (const one of restorations(read, lane))
      emit(
        withoutSecrets(one, wire.secrets) ?? {
          event: 'notice',
          severity: 'warning',
          text: `${entityName(one)} has a name that holds a secret: the journal cannot tell \`restore\` how to put it back.`,
        },
      );
  const flags = await triedFlags(run, session);
  const writable = writableOf(target, known);
  guard.learn(writable, flags);
  for (const text of flags.stuck) emit({ event: 'notice', severity: 'warning', text: `${text}.` });
  return { ...read, writable };
}
