import { decoded } from '../../contracts/decoded.ts';
import { isOperation, type Resource, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpoints, endpointsWhere } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { Secrets } from '../../contracts/redaction/secrets.ts';
import { redactedValue } from '../../contracts/redaction/values.ts';
import type { FixtureSnapshot, RunEvent } from '../../contracts/report/journal.ts';
import { type Fixtures, targetFileSchema } from '../../contracts/target.ts';
import { isValid } from '../../contracts/validation.ts';
import { type RunStopped, stopOf } from '../protocol/stop.ts';
import type { DiscoveredState, Target } from '../protocol/sut.ts';
import { heldName } from '../sut/acceptable.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { type TriedFlags, tryFlags } from './environment-flags.ts';
import { readGroups } from './experiment-groups.ts';
import { type FixtureReading, restorableResources } from './fixture-reading.ts';
import { notice } from './notice.ts';
import { operationsOf } from './plan.ts';
import { isRestoring } from './residue.ts';
import type { RunState } from './run-state.ts';
import { type KnownFixtures, transient, writableOf } from './writable.ts';

/** The state of the fixtures before the run. */
export interface Snapshot extends DiscoveredState {
  /** The entities of each resource that could be read. */
  readonly entities: ReadonlyMap<Resource, KnownFixtures['entities']>;
  /** The fields that had to be written before an entity (by `entityName`) could be read. */
  readonly overwritten: ReadonlyMap<string, readonly string[]>;
  /** What ended the run before all was tried. What has been turned by then must be put back all the same. */
  readonly cut?: RunStopped | null;
}

/** Returns the subject of a snapshot in words: `gate a_gate`, `set of environments`. */
export function entityName({ endpoint, param }: Pick<FixtureSnapshot, 'endpoint' | 'param'>): string {
  const name = resourceNames[endpointRow(endpoint).resource];
  return param === undefined ? `set of ${name}s` : `${name} ${param}`;
}

const restoring = endpointsWhere(isRestoring);

/**
 * True if an operation restores a member of an entity. Excludes names, members that control the request, and members
 * whose form differs in answers.
 */
function isPutBack(endpoint: EndpointId, member: string): boolean {
  const { resource, param, body } = endpointRow(endpoint);
  const { leftOut = [] } = restorableResources[resource] ?? {};
  const isTaken = Object.hasOwn(body?.properties ?? {}, member) && member !== param;
  return isTaken && !transient.has(member) && !leftOut.includes(member);
}

/** Returns the operations that restore what the checks of a collection change. */
export const restoringIn = (lane: string): readonly EndpointId[] =>
  restoring.filter(endpoint => endpointRow(endpoint).collection === lane);

/** Returns the requests that restore what a collection's checks change. */
export function restorations({ entities }: Snapshot, lane: string): readonly FixtureSnapshot[] {
  return restoringIn(lane).flatMap(endpoint => {
    const { resource, param } = endpointRow(endpoint);
    return [...(entities.get(resource) ?? [])].map(([name, entity]) => ({
      event: 'snapshot' as const,
      endpoint,
      ...(param !== null && { param: name }),
      body: Object.fromEntries(Object.entries(entity).filter(([member]) => isPutBack(endpoint, member))),
    }));
  });
}

/**
 * Returns the events that tell `restore` how to put an entity back. Members that hold a secret are left out, because
 * their redacted text must never be sent back; so is an entity whose name holds one. A notice says so.
 */
function snapshotEvents(snapshot: FixtureSnapshot, secrets: Secrets): readonly RunEvent[] {
  const name = entityName(snapshot);
  const untold = (what: string, them: string): RunEvent =>
    notice('warning', `${name} has ${what}: the journal cannot tell \`restore\` how to put ${them} back.`);
  if (secrets.redact(snapshot.param ?? '') !== (snapshot.param ?? ''))
    return [untold('a name that holds a secret', 'it')];
  const all = Object.entries(snapshot.body as JsonObject);
  const clean = all.filter(member => redactedValue(member, secrets) === member);
  const left = all.filter(member => !clean.includes(member)).map(([member]) => member);
  return [
    { ...snapshot, body: Object.fromEntries(clean) },
    ...(left.length === 0
      ? []
      : [untold(`what looks like a secret in ${left.join(', ')}`, left.length === 1 ? 'it' : 'them')]),
  ];
}

/** Returns the results of trying the flags; empty if no environments will be written. */
async function triedFlags({ config, units }: RunState, session: RecordedSession): Promise<TriedFlags> {
  const isWritten = units.some(({ endpoint }) => isOperation(endpointRow(endpoint), 'environment', 'update'));
  return isWritten ? tryFlags(config.target, session) : { refused: new Map(), stuck: [] };
}

/** Reads the fixtures of every resource that the run may restore. Throws `RunStopped` as sessions do. */
async function readFixtures(run: RunState, session: RecordedSession, known: Map<Resource, FixtureReading>) {
  const { target, readOnly } = run.config;
  for (const endpoint of restoring) {
    const { resource, collection } = endpointRow(endpoint);
    const source = restorableResources[resource];
    if (source === undefined || !run.lanes.includes(collection) || (readOnly && source.isReadByWriting)) continue;
    const reading = await source.readAll(target, session, readOnly);
    known.set(resource, reading);
    if (reading.cut) throw reading.cut;
  }
}

/** Tries what could not be reset, and informs the write guard. */
async function tryFixtures(run: RunState, session: RecordedSession, { gates, writable }: Required<DiscoveredState>) {
  const { config, units, guard, emit } = run;
  const flags = await triedFlags(run, session);
  // Runs that enable groups also update neighbouring experiments.
  const { unnamed, unseen } = await readGroups(config.target, session, operationsOf(units));
  guard.learn({ writable, gates, flags, unnamed });
  for (const text of flags.stuck) emit(notice('warning', `${text}.`));
  for (const { because, remedy } of unnamed.values())
    emit(notice('warning', `${because}: none is sent to it.`, remedy));
  if (unseen !== null) emit(unseen);
}

/**
 * Reads the fixtures before the first write, emits the requests that would restore them, and informs the write guard.
 * Throws `RunStopped` as sessions do while they are read, unless a field had to be written by then.
 */
export async function takeSnapshot(run: RunState): Promise<Snapshot> {
  const { config, wire, lanes, emit } = run;
  const { target, readOnly } = config;
  const session = openSession(wire, 'preflight');
  const known = new Map<Resource, FixtureReading>();
  const cut = await stopOf(readFixtures(run, session, known));
  const entities = new Map([...known].map(([resource, fixtures]) => [resource, fixtures.entities]));
  const overwritten = new Map(
    [...known].flatMap(([resource, fixtures]) =>
      [...fixtures.overwritten].map(([name, fields]) => [`${resourceNames[resource]} ${name}`, fields] as const),
    ),
  );
  const read = {
    entities,
    overwritten,
    qualifyingEvents: entities.get('qualifying-event') ?? new Map(),
    gates: entities.get('gate') ?? new Map(),
  };
  for (const [name, source] of read.qualifyingEvents)
    wire.held.set(heldName({ endpoint: 'update-qualifying-event', param: name }), source);
  if (cut !== null && overwritten.size === 0) throw cut;
  if (readOnly) return read;
  for (const lane of lanes)
    for (const one of restorations(read, lane)) for (const event of snapshotEvents(one, wire.secrets)) emit(event);
  if (cut !== null) return { ...read, cut };
  const tried = { ...read, writable: writableOf(target, known) };
  return { ...tried, cut: await stopOf(tryFixtures(run, session, tried)) };
}

const settings = Object.keys(endpoints['patch-gate'].body.properties);

/**
 * Returns the run with its gates reordered: the one with the most known settings first. Gate checks work on the first
 * gate, and settings that no answer shows are not written (section 4.6). Equals keep the order of the target file. So
 * do all gates if none could be read, or the first failed to answer: the checks report that.
 */
export function withKnownFirst(run: RunState, { gates, writable }: DiscoveredState): RunState {
  const { target } = run.config;
  const names = fixtureNames(target, 'gates');
  const [first] = names;
  if (writable === undefined || first === undefined || gates === undefined) return run;
  if (!gates.has(first) && writable.entity('patch-gate', first) === undefined) return run;
  const known = (id: string): number =>
    gates.has(id) ? settings.filter(field => writable.field('patch-gate', id, field) === undefined).length : -1;
  const best = names.reduce((one, other) => (known(other) > known(one) ? other : one));
  if (best === first) return run;
  const fixtures: Fixtures = { ...target.fixtures, gates: [best, ...names.filter(id => id !== best)] };
  const reordered: Target = {
    ...target,
    fixtures,
    get apiKey() {
      return target.keys.current();
    },
  };
  return { ...run, config: { ...run.config, target: reordered } };
}

/** Thrown for a snapshot that no run writes, because it asks for more than a restoration. */
export class UnlikelySnapshot extends Error {}

const keyOf = (endpoint: string, name = ''): string => JSON.stringify([endpoint, name]);

/** Number of times a server may decode a name. */
const mostDecoding = 5;

/** True if a name may lead to another path, for a server that decodes it several times. */
function leadsOut(name: string): boolean {
  let read = name;
  for (let times = 0; times < mostDecoding; times += 1) read = decoded(read);
  return name === '' || read !== decoded(read) || read.split(/[/\\]/).some(segment => /^\.{1,2}(;.*)?$/.test(segment));
}

/** The schema of environments in a target file, from which a run takes them. */
const environments = targetFileSchema.properties.fixtures.properties.environments;

/** Returns why no run can have written a snapshot; undefined if one can. */
function oddityOf({ endpoint, param, body }: FixtureSnapshot): string | undefined {
  const row = endpointRow(endpoint);
  if (!restoring.includes(endpoint)) return `${endpoint} puts nothing back`;
  if ((row.param === null) !== (param === undefined))
    return `${endpoint} is of ${row.param === null ? 'a set' : 'one entity'}`;
  if (param !== undefined && leadsOut(param)) return 'its name leads to another place';
  const other = Object.keys(body).find(member => !isPutBack(endpoint, member));
  if (other !== undefined) return `${endpoint} puts back no ${other}`;
  const [set] = row.param === null ? Object.values(body) : [];
  return row.param === null && (!isValid(environments, set) || (set as unknown[]).length === 0)
    ? 'it is no set of environments'
    : undefined;
}

/**
 * Returns the fixtures that a run's journal allows to be restored: announced in its planned effects, then recorded by a
 * snapshot. The journal may be anyone's, so a restoration uses only name, members and the table of endpoints. Throws an
 * `UnlikelySnapshot` for one that no run can have written.
 */
export function recordedSnapshots(events: readonly RunEvent[]): readonly FixtureSnapshot[] {
  const found: FixtureSnapshot[] = [];
  let planned = new Set<string>();
  for (const [index, event] of events.entries()) {
    // One file may hold the journals of several shards: each announces its own effects.
    if (event.event === 'run-start') planned = new Set();
    if (event.event === 'planned-effects')
      for (const { effect, endpoint, id } of event.effects) if (effect === 'put-back') planned.add(keyOf(endpoint, id));
    if (event.event !== 'snapshot') continue;
    const oddity = oddityOf(event);
    if (oddity !== undefined)
      throw new UnlikelySnapshot(`line ${index + 1} is no snapshot that a run can have written: ${oddity}`);
    if (planned.has(keyOf(event.endpoint, event.param))) found.push(event);
  }
  return found;
}
