import { dirname } from 'node:path';
import { own } from '../../contracts/redaction/shown.ts';
import type { FixtureSnapshot, RunEvent, RunStart } from '../../contracts/report/journal.ts';
import { safeLines, safeText } from '../../reports/text/safe-text.ts';
import { isGatewayError } from '../../suites/client/deferral.ts';
import { runDefaults } from '../../suites/engine/config.ts';
import { putBack } from '../../suites/engine/put-back.ts';
import { notPutBackText, requestText } from '../../suites/engine/restore.ts';
import { entityName, recordedSnapshots, UnlikelySnapshot } from '../../suites/engine/snapshot.ts';
import { isSilence, outcomeOf } from '../../suites/protocol/answer.ts';
import { GivenUp } from '../../suites/protocol/stop.ts';
import { openProbeClient, plainReads } from '../../suites/sut/probe-client.ts';
import { openSession, type RecordedSession } from '../../suites/sut/session.ts';
import type { restore } from '../definitions/target.ts';
import type { Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { interruption } from '../interruption.ts';
import { readJournal } from '../report-file.ts';
import { workingIn } from '../run-folder.ts';
import { chooseTarget, recordedTarget, tellAddress, waitForTarget } from '../target.ts';
import { output, print, tell } from '../writer.ts';

/**
 * Returns the snapshot of each entity by the earliest run, in whatever order the journals are named: later runs may
 * have read what an earlier one left behind. Throws a `UsageError` for a journal with a snapshot that would do more
 * than restore.
 */
function snapshotsOf(
  journals: readonly { readonly file: string; readonly events: readonly RunEvent[]; readonly began: string }[],
): readonly FixtureSnapshot[] {
  const first = new Map<string, FixtureSnapshot>();
  const inOrder = journals.toSorted((one, other) => (one.began < other.began ? -1 : Number(one.began > other.began)));
  for (const { file, events } of inOrder) {
    const recorded = refusing(
      [UnlikelySnapshot],
      () => recordedSnapshots(events),
      ({ message }) => `${file}: ${safeText(message, 400)}`,
    );
    for (const one of recorded) if (!first.has(entityName(one))) first.set(entityName(one), one);
  }
  return [...first.values()];
}

/** Throws a `UsageError` for journals of several servers: the state of one may never have existed at another. */
function refuseSeveral(starts: readonly RunStart[]): void {
  const bases = [...new Set(starts.map(({ target }) => target.baseUrl))];
  if (bases.length > 1)
    refuse(`the journals are of several servers (${safeText(bases.join(', '), 1_000)}); restore one at a time`);
}

/** Refuses journals beside which a run is under way: it would change again what is put back, and puts back itself. */
async function refuseRunning(files: readonly string[]): Promise<void> {
  for (const folder of new Set(files.map(dirname))) {
    const owner = await workingIn(folder);
    if (owner !== undefined)
      refuse(
        safeText(`a run is under way in ${folder}, ${owner}; wait for its end: it puts back what it changed`, 400),
      );
  }
}

/** Returns why nothing can be put back now; null if the target answers a read with this key. */
async function whyNotNow(session: RecordedSession): Promise<string | null> {
  let why: string | null = null;
  for (const endpoint of plainReads)
    try {
      const answer = await session.send({ endpoint });
      if (answer.status === 401) return `the target refused the API key (${outcomeOf(answer)})`;
      if (!isSilence(answer) && !isGatewayError(answer.status)) return null;
      why = `the target does not answer (${outcomeOf(answer)}); try again with --wait 1m`;
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      why = error.message;
    }
  return why;
}

/** The answer to a first Ctrl-C: a fixture that is put back by halves would be in no state that it ever had. */
const finishes = own`\nInterrupted: finishing the fixture that is being put back. Once more to stop at once.\n`;

/**
 * Restores a target to what the journals recorded before the first write, after runs that were killed or could not
 * restore it themselves. Reads each fixture, sends what differs, reads again and compares. Returns the exit code: 0 if
 * everything is as it was, 3 if something could not be put back, 130 if it was interrupted.
 */
export const command: Work<typeof restore> = async (flags, [files]) => {
  await refuseRunning(files);
  const journals = files.map(file => {
    const events = readJournal(file);
    const starts = events.filter(event => event.event === 'run-start');
    return { file, events, starts, began: starts[0]?.startedAt ?? '' };
  });
  const starts = journals.flatMap(journal => journal.starts);
  refuseSeveral(starts);
  const snapshots = snapshotsOf(journals);
  if (snapshots.length === 0) {
    output.say(own`The journal records nothing that could be put back.\n`);
    return 0;
  }
  const [start] = starts;
  if (start?.target.embedded && (flags.baseUrl ?? flags.config) === undefined) {
    refuse('the run tested the embedded reference server, which is gone; nothing is left to put back');
  }
  // Read a target file only if a flag names it.
  const named = !start ? flags : recordedTarget({ ...start, options: {} }, files[0] ?? '', flags);
  const chosen = await chooseTarget(named);
  tellAddress(chosen, named);
  await waitForTarget(chosen.target, flags);
  const probe = openProbeClient(chosen.target, { timeoutMs: flags.timeout });
  const session = openSession(probe.wire, 'restore', () => []);
  const interrupted = interruption(undefined, finishes);
  let problems = 0;
  try {
    const why = await whyNotNow(session);
    if (why !== null) {
      tell(`${safeText(why, 1_000)}. Nothing was put back.\n`);
      return 3;
    }
    for (const [index, snapshot] of snapshots.entries()) {
      if (interrupted.signal.aborted) {
        tell(`${index} of ${snapshots.length} were looked at. Run the same again for the rest.\n`);
        return 130;
      }
      const problem = await putBack(snapshot, session, { settleMs: runDefaults.settleMs, onlyIfThere: true }).then(
        left => left && `${notPutBackText(snapshot, left)}\n  to send: ${requestText(snapshot, left.send)}`,
        (error: unknown) => {
          if (error instanceof GivenUp) return `${entityName(snapshot)} could not be put back: ${error.message}`;
          throw error;
        },
      );
      if (problem !== null) problems += 1;
      print(`${safeLines(problem ?? `${entityName(snapshot)}: as it was`)}\n`);
    }
  } finally {
    interrupted.done();
    await probe.close();
    await chosen.close();
  }
  return problems === 0 ? 0 : 3;
};
