import type { Report } from '../../contracts/report/report.ts';
import { exitCode } from '../../contracts/report/verdict.ts';
import { foldJournal } from '../../reports/index.ts';
import {
  findingNamed,
  isOnlyUnpaired,
  NoSuchFinding,
  type Replay,
  replayOutcome,
  replayText,
} from '../../reports/journal/replay.ts';
import { checksOf, endpointIn, notRestored } from '../../reports/journal/selections.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { checkOf } from '../../suites/checks/index.ts';
import { minimalCaseId } from '../../suites/engine/case-ids.ts';
import { NothingSelected, PathNeedsOneCheck, toolVersions } from '../../suites/engine/plan.ts';
import { run } from '../../suites/engine/run.ts';
import type { replay as definition, ReplayFlags } from '../definitions/target.ts';
import type { Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { interruption } from '../interruption.ts';
import { terminalOf } from '../outputs.ts';
import { readReport } from '../report-file.ts';
import { type ChosenTarget, chooseTarget, recordedTarget, tellAddress, waitForTarget } from '../target.ts';
import { output, shown, tell } from '../writer.ts';

/** Refuses a report of other versions: they would generate another case from the same seed. */
function refuseOtherVersions({ tool }: Report, file: string): void {
  const now = toolVersions();
  for (const name of ['version', 'fast-check', 'faker'] as const) {
    if (tool[name] === now[name]) continue;
    const what = name === 'version' ? tool.name : name;
    refuse(`${file} was made with ${what} ${tool[name]}; ${what} ${now[name]} would send another case`);
  }
}

/**
 * Returns a function that repeats the recorded run for a selection, or for one case of it, and tells what could not be
 * put back.
 */
const running =
  (
    { seed, profile, learned, options: { readOnly, strict } }: Report,
    { target, embedded }: ChosenTarget,
    flags: ReplayFlags,
    signal: AbortSignal,
  ) =>
  async (only: string, path: string | undefined): Promise<Report> => {
    const fold = foldJournal();
    const options = {
      target,
      embedded,
      selection: { only: [only], skip: [] },
      seed,
      profile,
      timeoutMs: flags.timeout,
      settleMs: flags.settle,
      readOnly,
      strict,
      // Learning anew might give other names, and so other requests.
      learned,
      path,
      signal,
    };
    await refusing([NothingSelected, PathNeedsOneCheck], () => run(options, fold.add));
    const now = fold.report();
    // No journal is written that `restore` could read.
    for (const { kind, id, what, send } of notRestored(now.leftBehind))
      tell(
        `Not put back: ${safeText(`${kind} ${id}: ${what}`, 400)}\n  to send to ${target.baseUrl.href}: ${safeText(send, 2_000)}\n`,
      );
    return now;
  };

/** If the replayed refusal lacks an accepted request, sends one. Returns true if it is accepted. */
async function isMinimalAccepted({ unit }: Replay, now: Report, ran: ReturnType<typeof running>): Promise<boolean> {
  const sent = checksOf(now).find(one => one.id === unit);
  if (!sent || !isOnlyUnpaired(sent)) return false;
  const endpoint = endpointIn(unit);
  const beside = await ran(`${endpoint}/${checkOf('minimal-request').id}`, minimalCaseId);
  return checksOf(beside).some(({ stats }) => stats.accepted > 0);
}

/**
 * Sends one finding of a report again, with its recorded seed, profile and case, and shows then and now. Returns the
 * exit code: 0 if it no longer fails, 1 if it does (for any requirement), 3 if unknown, 4 for a fault of the suite, 130
 * if interrupted.
 */
export const command: Work<typeof definition> = async (flags, [id, file]) => {
  const report = readReport(file);
  const replay = await refusing(
    [NoSuchFinding],
    () => findingNamed(report, id),
    ({ message }) => `${file}: ${message}`,
  );
  refuseOtherVersions(report, file);
  const named = recordedTarget(report, file, flags);
  const chosen = await chooseTarget(named);
  const interrupted = interruption();
  try {
    tellAddress(chosen, named);
    await waitForTarget(chosen.target, flags, interrupted.signal);
    const ran = running(report, chosen, flags, interrupted.signal);
    const now = await ran(replay.only, replay.path);
    const judged = replayOutcome(replay, now, await isMinimalAccepted(replay, now, ran));
    output.write(shown(replayText(replay, judged, now, terminalOf(output))));
    if (judged.outcome === 'gone') return 0;
    if (judged.outcome !== 'unknown') return 1;
    return now.exitCode > 1 ? now.exitCode : exitCode(['incomplete']);
  } finally {
    interrupted.done();
    await chosen.close();
  }
};
