import { type Collection, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { FixtureSnapshot, LeftBehind } from '../../contracts/report/journal.ts';
import { outcomeOf } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import { openProbeClient } from '../sut/probe-client.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import type { WrittenFields } from './residue.ts';
import type { RunState } from './run-state.ts';
import { entityName, restorableResources, restorations, restoringIn, type Snapshot } from './snapshot.ts';

/** Fields of a body that say what to do with it and leave nothing behind. */
const transient: ReadonlySet<string> = new Set(['dryRun', 'skip_validation']);

/** Sends one snapshot; returns in words what could not be put back, or null. */
export async function putBack(snapshot: FixtureSnapshot, session: RecordedSession): Promise<string | null> {
  const { endpoint, param } = snapshot;
  const body = snapshot.body as JsonObject;
  const whole = await session.send({ endpoint, param, body });
  if (whole.success) return null;
  const { action, resource } = endpointRow(endpoint);
  const read = restorableResources[resource]?.read;
  if (action !== 'patch' || read === undefined || param === undefined)
    return `${entityName(snapshot)} could not be put back (${outcomeOf(whole)})`;
  // A target that refuses one field of its own answer is given the fields one by one, which a partial update allows.
  for (const [key, value] of Object.entries(body)) await session.send({ endpoint, param, body: { [key]: value } });
  const now = (await read(session, param)).entity ?? {};
  const differ = Object.keys(body).filter(key => JSON.stringify(now[key]) !== JSON.stringify(body[key]));
  return differ.length === 0 ? null : `${entityName(snapshot)}: ${differ.join(', ')} could not be put back`;
}

/**
 * Fields that the run wrote and of which no answer told what they were before. A field that answers show, and that is
 * absent now, is clean; so is the one that stands in the path, which an update never changes.
 */
async function fieldsLost(
  { endpoint, param = '', body }: FixtureSnapshot,
  session: RecordedSession,
  written: WrittenFields,
): Promise<readonly string[]> {
  const unknown = [...written.fieldsOf(endpoint, param)].filter(field => !(field in body) && !transient.has(field));
  const row = endpointRow(endpoint);
  const read = restorableResources[row.resource]?.read;
  if (unknown.length === 0 || read === undefined) return [];
  const now = (await read(session, param)).entity ?? {};
  const shown = 'properties' in row.data ? (row.data.properties ?? {}) : {};
  return unknown.filter(field => field !== row.param && (!(field in shown) || (now[field] ?? null) !== null)).sort();
}

/** Puts back what a collection's checks changed, and returns what could not be. Never throws because of the target. */
export async function restoreLane(
  lane: Collection,
  { config: { target }, writtenFields }: Pick<RunState, 'config' | 'writtenFields'>,
  snapshot: Snapshot,
  session: RecordedSession,
): Promise<{ readonly problems: readonly string[]; readonly residue: readonly LeftBehind[] }> {
  const problems: string[] = [];
  const residue: LeftBehind[] = [];
  const leave = (endpoint: EndpointId, id: string, fields: readonly string[], why: string): void => {
    if (fields.length === 0) return;
    const kind = resourceNames[endpointRow(endpoint).resource];
    residue.push({ event: 'left-behind', endpoint, kind, id, what: `${fields.join(', ')} as last sent: ${why}` });
  };
  for (const one of restorations(snapshot, lane)) {
    const { endpoint, param = '' } = one;
    const name = entityName(one);
    try {
      const problem = await putBack(one, session);
      if (problem !== null) problems.push(problem);
      const lost = await fieldsLost(one, session, writtenFields);
      leave(endpoint, param, lost, 'no answer told what was there before');
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      problems.push(`${name} could not be put back: ${error.message}`);
    }
    if (snapshot.overwritten.has(name)) {
      const why = 'its isEnabled could not be read before the run (the empty patch is refused); it is false now';
      problems.push(`${name}: ${why}`);
    }
  }
  // What could not be read before the run cannot be put back after it.
  for (const endpoint of restoringIn(lane)) {
    const { resource, fixture } = endpointRow(endpoint);
    for (const param of fixture === null ? [] : fixtureNames(target, fixture)) {
      if (snapshot.entities.get(resource)?.has(param) === true) continue;
      const written = [...writtenFields.fieldsOf(endpoint, param)].sort();
      leave(endpoint, param, written, 'it could not be read before the run');
    }
  }
  return { problems, residue };
}

/**
 * Puts every fixture back and emits what could not be, lane by lane. Done after an interruption too, and even where the
 * target seemed to be gone: it may have come back.
 */
export async function restore(run: RunState, snapshot: Snapshot): Promise<void> {
  const { config, wire, emit } = run;
  if (config.readOnly) return;
  const probe = openProbeClient(config.target, { ...config, gates: wire.gates });
  try {
    for (const lane of run.lanes) {
      const session = openSession(probe.wire, `restore/${lane}`);
      const { problems, residue } = await restoreLane(lane, run, snapshot, session);
      for (const text of problems) emit({ event: 'notice', severity: 'warning', text: wire.secrets.redact(text) });
      for (const left of residue) emit(left);
    }
  } finally {
    run.counts.probes += probe.sent();
    await probe.close();
  }
}
