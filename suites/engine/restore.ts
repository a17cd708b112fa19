import type { Collection } from '../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { FixtureSnapshot, LeftBehind } from '../../contracts/report/journal.ts';
import type { Secrets } from '../client/secrets.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { readGate, readQualifyingEvent } from '../state/reading.ts';
import { openSession, type RecordedSession, type Wire } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import type { Changes } from './changes.ts';
import type { Snapshot } from './snapshot.ts';

/** Fields of a body that say what to do with it and leave nothing behind. */
const passing: ReadonlySet<string> = new Set(['dryRun', 'skip_validation']);

/** Members of an entity, as an answer shows it, that a request of the operation may carry. */
function writable(endpoint: EndpointId, entity: JsonObject, leaveOut: readonly string[]): JsonObject {
  const properties = endpoints[endpoint].body?.properties ?? {};
  return Object.fromEntries(Object.entries(entity).filter(([key]) => key in properties && !leaveOut.includes(key)));
}

/** The requests that put back what a collection's checks change. Gates, qualifying events and environments can be put back; nothing else can. */
export function restorations(target: Target, snapshot: Snapshot, collection: Collection): readonly FixtureSnapshot[] {
  if (collection === 'gates') {
    return [...snapshot.gates].map(([param, gate]) => ({
      event: 'snapshot',
      endpoint: 'patch-gate',
      param,
      body: writable('patch-gate', gate, []),
    }));
  }
  if (collection === 'qualifying-events') {
    return [...snapshot.qualifyingEvents].map(([param, source]) => ({
      event: 'snapshot',
      endpoint: 'update-qualifying-event',
      param,
      body: writable('update-qualifying-event', source, ['name', 'owner']),
    }));
  }
  const environments = (target.fixtures.environments ?? []).map(one => ({ ...one }));
  if (collection !== 'environments' || environments.length === 0) return [];
  return [{ event: 'snapshot', endpoint: 'update-environments', body: { environments } }];
}

/** The snapshot of a fixture as a journal may keep it: members that hold a secret are left out, for what is written in its place must never be sent back. */
export function withoutSecrets(snapshot: FixtureSnapshot, secrets: Secrets): FixtureSnapshot {
  const clean = Object.entries(snapshot.body as JsonObject).filter(member => {
    const text = JSON.stringify(member);
    return secrets.redact(text) === text;
  });
  return { ...snapshot, body: Object.fromEntries(clean) };
}

const kinds: Partial<Record<EndpointId, string>> = {
  'patch-gate': 'gate',
  'update-qualifying-event': 'qualifying event',
  'update-environments': 'set of environments',
};

/** A snapshot in words: `gate a_gate`. */
export const nameOf = ({ endpoint, param }: FixtureSnapshot): string =>
  `${kinds[endpoint] ?? endpoint}${param === undefined ? '' : ` ${param}`}`;

/** Sends one snapshot; returns in words what could not be put back, or null. */
export async function putBack(snapshot: FixtureSnapshot, session: RecordedSession): Promise<string | null> {
  const { endpoint, param } = snapshot;
  const body = snapshot.body as JsonObject;
  const whole: Answer = await session.send({ endpoint, param, body });
  if (whole.success) return null;
  if (endpoint !== 'patch-gate' || param === undefined)
    return `${nameOf(snapshot)} could not be put back (${outcomeOf(whole)})`;
  // A target that refuses one field of its own answer is given the fields one by one.
  for (const [key, value] of Object.entries(body)) await session.send({ endpoint, param, body: { [key]: value } });
  const now = (await readGate(session, param)).entity ?? {};
  const differ = Object.keys(body).filter(key => JSON.stringify(now[key]) !== JSON.stringify(body[key]));
  return differ.length === 0 ? null : `${nameOf(snapshot)}: ${differ.join(', ')} could not be put back`;
}

/** Fields that the run wrote and of which no answer told what they were before; those that answers show, and do not show any more, are clean. */
async function lost(snapshot: FixtureSnapshot, session: RecordedSession, changes: Changes): Promise<readonly string[]> {
  const { endpoint, param = '' } = snapshot;
  const unknown = [...changes.fieldsOf(endpoint, param)].filter(
    field => !(field in snapshot.body) && !passing.has(field),
  );
  if (unknown.length === 0 || param === '') return [];
  const read = endpoint === 'patch-gate' ? readGate : readQualifyingEvent;
  const now = (await read(session, param)).entity ?? {};
  const { data } = endpoints[endpoint];
  const shown = 'properties' in data ? (data.properties ?? {}) : {};
  // A qualifying event's name stands in the path; an update never changes it.
  return unknown.filter(field => field !== 'name' && (!(field in shown) || (now[field] ?? null) !== null)).sort();
}

/** What putting a collection back came to. */
export interface Restored {
  /** What could not be put back, in words. */
  readonly problems: readonly string[];
  readonly leftBehind: readonly LeftBehind[];
}

/** Puts back what a collection's checks changed. Never throws for the target's sake: a target that does not answer is asked no further. */
export async function restoreLane(
  lane: Collection,
  wire: Wire,
  snapshot: Snapshot,
  changes: Changes,
): Promise<Restored> {
  const session = openSession(wire, `restore/${lane}`, () => []);
  const problems: string[] = [];
  const leftBehind: LeftBehind[] = [];
  for (const restoration of restorations(wire.target, snapshot, lane)) {
    const { endpoint, param = '' } = restoration;
    const name = nameOf(restoration);
    try {
      const problem = await putBack(restoration, session);
      if (problem !== null) problems.push(problem);
      const fields = await lost(restoration, session, changes);
      if (fields.length > 0) {
        const what = `${fields.join(', ')} as last sent: no answer told what was there before`;
        leftBehind.push({ event: 'left-behind', endpoint, kind: kinds[endpoint] ?? endpoint, id: param, what });
      }
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      problems.push(`${name} could not be put back: ${error.message}`);
    }
    if (endpoint === 'patch-gate' && snapshot.unread.includes(param)) {
      const why = 'its isEnabled could not be read before the run (the empty patch is refused); it is false now';
      problems.push(`${name}: ${why}`);
    }
  }
  // What could not be read before the run cannot be put back after it.
  for (const { endpoint, fixture, known } of [
    { endpoint: 'patch-gate', fixture: 'gates', known: snapshot.gates },
    { endpoint: 'update-qualifying-event', fixture: 'qualifyingEvents', known: snapshot.qualifyingEvents },
  ] as const) {
    if (endpoints[endpoint].collection !== lane) continue;
    for (const id of fixtureNames(wire.target, fixture)) {
      const fields = [...changes.fieldsOf(endpoint, id)].sort();
      if (known.has(id) || fields.length === 0) continue;
      const what = `${fields.join(', ')} as last sent: it could not be read before the run`;
      leftBehind.push({ event: 'left-behind', endpoint, kind: kinds[endpoint] ?? endpoint, id, what });
    }
  }
  return { problems, leftBehind };
}
