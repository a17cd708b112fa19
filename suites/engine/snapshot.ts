import { type Resource, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import type { Secrets } from '../client/secrets.ts';
import { dataObject } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { DiscoveredState, Target } from '../protocol/sut.ts';
import { type Reading, readGate, readList, readQualifyingEvent } from '../state/reading.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { isRestoring } from './residue.ts';
import type { RunState } from './run-state.ts';

/** Entities of one resource by name; under '' the whole set, where the operation replaces it as one. */
type Entities = ReadonlyMap<string, JsonObject>;

/** The state of the fixtures before the run. */
export interface Snapshot extends DiscoveredState {
  /** What could be read of each resource. */
  readonly entities: ReadonlyMap<Resource, Entities>;
  /** Entities, as `entityName` has them, that could be read only after `isEnabled` had been written. */
  readonly overwritten: ReadonlySet<string>;
}

/** How the fixtures of a resource are read, and which members of them are not put back. */
interface RestorableResource {
  /** Reads the fixtures that the target file names; what cannot be read is missing from the result. */
  readonly readAll: (target: Target, session: RecordedSession, overwritten: Set<string>) => Promise<Entities>;
  /** Reads one entity as it is now; absent where no answer shows one. */
  readonly read?: (session: RecordedSession, name: string) => Promise<Reading>;
  /** True where reading is a write, which a read-only run must not send. */
  readonly isReadByWriting?: true;
  /** Members that an answer shows in another form than a request takes. */
  readonly leftOut?: readonly string[];
}

/** Every resource with a restoring operation. */
export const restorableResources: Readonly<Partial<Record<Resource, RestorableResource>>> = {
  environment: { readAll: readEnvironments },
  'qualifying-event': { readAll: readQualifyingEvents, read: readQualifyingEvent, leftOut: ['owner'] },
  gate: { readAll: readGates, read: readGate, isReadByWriting: true },
};

/** No list shows the environments (section 4.1): they are what the target file says. */
async function readEnvironments({ fixtures: { environments = [] } }: Target): Promise<Entities> {
  if (environments.length === 0) return new Map();
  return new Map([['', { environments: environments.map(one => ({ ...one })) }]]);
}

async function readQualifyingEvents(target: Target, session: RecordedSession): Promise<Entities> {
  const wanted = new Set(fixtureNames(target, 'qualifyingEvents'));
  const { items } = await readList(session, { endpoint: 'list-qualifying-events' }).catch((error: unknown) => {
    if (error instanceof GivenUp) return { items: [] };
    throw error;
  });
  return new Map(
    (items as readonly JsonObject[]).flatMap(item =>
      typeof item.name === 'string' && wanted.has(item.name) ? [[item.name, item] as const] : [],
    ),
  );
}

async function readGates(target: Target, session: RecordedSession, overwritten: Set<string>): Promise<Entities> {
  const gates = new Map<string, JsonObject>();
  for (const id of fixtureNames(target, 'gates')) {
    try {
      const { entity } = await readGate(session, id);
      if (entity !== null) {
        gates.set(id, entity as JsonObject);
        continue;
      }
      // Where the empty patch is refused, nothing reads a gate before it is written to for the first time.
      const written = await session.send({ endpoint: 'patch-gate', param: id, body: { isEnabled: false } });
      if (!written.success) continue;
      gates.set(id, dataObject(written) as JsonObject);
      overwritten.add(entityName({ endpoint: 'patch-gate', param: id }));
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
  }
  return gates;
}

/** What a snapshot is of, in words: `gate a_gate`, `set of environments`. */
export function entityName({ endpoint, param }: Pick<FixtureSnapshot, 'endpoint' | 'param'>): string {
  const name = resourceNames[endpointRow(endpoint).resource];
  return param === undefined ? `set of ${name}s` : `${name} ${param}`;
}

const restoring = endpointsWhere(isRestoring);

/** The operations that put back what the checks of a collection change. */
export const restoringIn = (lane: string): readonly EndpointId[] =>
  restoring.filter(endpoint => endpointRow(endpoint).collection === lane);

/** The requests that put back what a collection's checks change. */
export function restorations({ entities }: Snapshot, lane: string): readonly FixtureSnapshot[] {
  return restoringIn(lane).flatMap(endpoint => {
    const { resource, param, body } = endpointRow(endpoint);
    const { leftOut = [] } = restorableResources[resource] ?? {};
    const isSent = (member: string): boolean =>
      Object.hasOwn(body?.properties ?? {}, member) && member !== param && !leftOut.includes(member);
    return [...(entities.get(resource) ?? [])].map(([name, entity]) => ({
      event: 'snapshot' as const,
      endpoint,
      ...(param === null ? {} : { param: name }),
      body: Object.fromEntries(Object.entries(entity).filter(([member]) => isSent(member))),
    }));
  });
}

/**
 * The snapshot of a fixture as a journal may keep it: members that hold a secret are left out, for what is written in
 * its place must never be sent back.
 */
function withoutSecrets(snapshot: FixtureSnapshot, secrets: Secrets): FixtureSnapshot {
  const clean = Object.entries(snapshot.body as JsonObject).filter(member => {
    const text = JSON.stringify(member);
    return secrets.redact(text) === text;
  });
  return { ...snapshot, body: Object.fromEntries(clean) };
}

/** Reads the fixtures before the first write and emits what would put them back. Throws `RunStopped` as sessions do. */
export async function takeSnapshot({ config, wire, lanes, emit }: RunState): Promise<Snapshot> {
  const session = openSession(wire, 'preflight');
  const entities = new Map<Resource, Entities>();
  const overwritten = new Set<string>();
  for (const endpoint of restoring) {
    const { resource, collection } = endpointRow(endpoint);
    const source = restorableResources[resource];
    if (source === undefined || !lanes.includes(collection) || (config.readOnly && source.isReadByWriting)) continue;
    entities.set(resource, await source.readAll(config.target, session, overwritten));
  }
  const snapshot = { entities, overwritten, qualifyingEvents: entities.get('qualifying-event') ?? new Map() };
  if (config.readOnly) return snapshot;
  for (const lane of lanes) for (const one of restorations(snapshot, lane)) emit(withoutSecrets(one, wire.secrets));
  return snapshot;
}
