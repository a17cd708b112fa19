import type { Collection } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { FixtureSnapshot, LeftBehind } from '../../contracts/report/journal.ts';
import { urlText } from '../../contracts/url-text.ts';
import { inWords } from '../judge/words.ts';
import type { Answer } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import { isBack, openProbeClient } from '../sut/probe-client.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { restorableResources } from './fixture-reading.ts';
import { notice } from './notice.ts';
import { changeSince, type NotPutBack, putBack } from './put-back.ts';
import { leftBehind, type WrittenFields } from './residue.ts';
import type { RunState } from './run-state.ts';
import { entityName, restorations, restoringIn, type Snapshot } from './snapshot.ts';
import { showsNone, transient } from './writable.ts';

/** The id prefix of a restoration's exchanges, before the name of the lane. */
const restoring = 'restore/';

/** True if an answer belongs to a request that restored something. */
export const isOfRestoring = ({ id }: Pick<Answer, 'id'>): boolean => id.startsWith(restoring);

/** Returns the request that would restore the rest, as text: method, path and body. */
export function requestText({ endpoint, param }: FixtureSnapshot, body: object): string {
  const { method, path } = endpointRow(endpoint);
  const place = path.replace(/\{[A-Za-z]+\}/, urlText(param ?? ''));
  return clip(`${method} ${place} ${JSON.stringify(body)}`, longestRequest);
}

/** Maximum number of characters of a reported request. */
const longestRequest = 20_000;

/** Returns in words what could not be restored of a fixture. */
export const notPutBackText = (snapshot: FixtureSnapshot, { fields, why }: NotPutBack): string =>
  `${entityName(snapshot)}: ${fields.join(', ')} could not be put back (${why})`;

/**
 * Returns fields that the run wrote and whose earlier values no answer showed. Fields that answers show and that are
 * absent now are clean, and so are members that no section names. So is the one in the path, which an update never
 * changes.
 */
async function fieldsLost(
  { endpoint, param = '', body }: FixtureSnapshot,
  session: RecordedSession,
  written: WrittenFields,
): Promise<readonly string[]> {
  const unknown = [...written.fieldsOf(endpoint, param)].filter(
    field => !(field in body) && !transient.has(field) && !showsNone(body as JsonObject, field),
  );
  const row = endpointRow(endpoint);
  const read = restorableResources[row.resource]?.read;
  if (unknown.length === 0 || read === undefined) return [];
  const now = (await read(session, param, unknown)).entity ?? {};
  const shown = 'properties' in row.data ? (row.data.properties ?? {}) : {};
  const isUnseen = (field: string): boolean => field in (row.body?.properties ?? {}) && !(field in shown);
  return unknown.filter(field => field !== row.param && (isUnseen(field) || (now[field] ?? null) !== null)).sort();
}

/** Returns the fields that a run may have left changed, if nothing could be put back or read. */
function mayBeLeft({ endpoint, param, body }: FixtureSnapshot, written: WrittenFields): readonly string[] {
  const fields = Object.keys(body);
  if (param === undefined) return written.mayHaveChanged(endpoint, body as JsonObject) ? fields : [];
  return fields.filter(field => written.fieldsOf(endpoint, param).has(field));
}

/**
 * Restores what a collection's checks changed, and returns what could not be: in words, and as what is left behind. Never
 * throws because of the target.
 */
export async function restoreLane(
  lane: Collection,
  { config: { target, settleMs }, writtenFields }: Pick<RunState, 'config' | 'writtenFields'>,
  snapshot: Snapshot,
  session: RecordedSession,
): Promise<{ readonly problems: readonly string[]; readonly residue: readonly LeftBehind[] }> {
  const problems: string[] = [];
  const residue: LeftBehind[] = [];
  const leave = (endpoint: EndpointId, id: string, fields: readonly string[], why: string, send?: string): void => {
    if (fields.length > 0)
      residue.push(leftBehind(endpoint, id, `${fields.join(', ')} as last sent: ${why}`, present({ send })));
  };
  for (const one of restorations(snapshot, lane)) {
    const { endpoint, param = '' } = one;
    const name = entityName(one);
    try {
      const isOurs = writtenFields.isWritten(endpoint, one.param);
      // What the run never wrote to, somebody else has changed, and may want changed.
      const change = isOurs ? null : await changeSince(one, session, settleMs);
      if (change !== null)
        problems.push(`${name}: ${change} during the run, which wrote nothing to it; it is left as it is`);
      const written = writtenFields.fieldsOf(endpoint, one.param);
      const problem = isOurs ? await putBack(one, session, { written, settleMs }) : null;
      if (problem !== null && (param !== '' || writtenFields.mayHaveChanged(endpoint, one.body as JsonObject))) {
        problems.push(notPutBackText(one, problem));
        leave(endpoint, param, problem.fields, problem.why, requestText(one, problem.send));
      }
      const lost = isOurs ? await fieldsLost(one, session, writtenFields) : [];
      leave(endpoint, param, lost, 'no answer told what was there before');
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      const fields = mayBeLeft(one, writtenFields);
      if (fields.length > 0) problems.push(`${name} could not be put back: ${error.message}`);
      leave(endpoint, param, fields, error.message, requestText(one, one.body));
    }
    const overwritten = snapshot.overwritten.get(name) ?? [];
    if (overwritten.length > 0) {
      const now = overwritten.map(field => inWords(one.body[field] ?? null)).join(', ');
      const why = `its ${overwritten.join(', ')} could not be read before the run (the empty patch is refused); it is ${now} now`;
      problems.push(`${name}: ${why}`);
      leave(endpoint, param, overwritten, why);
    }
  }
  // Entities that could not be read before the run cannot be restored after it.
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
 * Milliseconds to wait in all for a target that puts off restoring, when the run was stopped: somebody waits for its
 * end.
 */
const patienceWhenStopped = 30_000;

/** How often the end of a run looks whether a target that left two requests unanswered answers again. */
const mostAbsences = 6;

/**
 * Restores every fixture lane by lane and emits what could not be. Runs after an interruption too, and even if the
 * target seemed gone, because it may be back. Answers are not judged if judging itself may have failed.
 */
export async function restore(run: RunState, snapshot: Snapshot, judges = true): Promise<void> {
  const { config, wire, suspected, health, emit } = run;
  if (config.readOnly) return;
  const { timeoutMs, rate, target } = config;
  const { gates, held, bases, clock, nextTry, trace, unplanned } = wire;
  const judging = judges ? { unplanned, observer: suspected } : {};
  const stopped = health.stopped();
  const patienceMs = stopped === null || stopped.reason === 'limit' ? undefined : patienceWhenStopped;
  let absences = 0;
  const whenSilent = async (): Promise<boolean> => {
    absences += 1;
    if (absences <= mostAbsences && (await isBack(target, timeoutMs, run.counts))) return true;
    // A target that stayed away is not waited for again.
    absences = mostAbsences;
    return false;
  };
  const probe = openProbeClient(target, {
    timeoutMs,
    rate,
    patienceMs,
    readsBefore: wire.client.reads(),
    whenSilent,
    gates,
    held,
    bases,
    clock,
    nextTry,
    trace,
    ...judging,
  });
  try {
    const faults: unknown[] = [];
    for (const lane of run.lanes) {
      const session = openSession(probe.wire, `${restoring}${lane}`);
      try {
        const { problems, residue } = await restoreLane(lane, run, snapshot, session);
        for (const text of problems) emit(notice('warning', text));
        for (const left of residue) emit(left);
      } catch (error) {
        // A fault of the suite in one lane must not leave the fixtures of the others changed.
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  } finally {
    run.counts.probes += probe.sent();
    await probe.close();
  }
}
