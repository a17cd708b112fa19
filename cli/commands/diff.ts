import { compact, present } from '../../contracts/present.ts';
import { type Shown, vouched } from '../../contracts/redaction/shown.ts';
import { redactorOf } from '../../contracts/redaction/values.ts';
import {
  type DifferenceReport,
  differenceReport as differenceSchema,
  type SideReport,
} from '../../contracts/report/difference.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { type AcknowledgedFile, acknowledgedText, updatedAcknowledged } from '../../reports/difference/acknowledged.ts';
import { type ComparedServers, differenceReport, extentOf } from '../../reports/difference/report.ts';
import { differenceReporters } from '../../reports/difference/reporters.ts';
import { type DiffOutcome, diff, OneBackend } from '../../suites/diff/index.ts';
import { select } from '../../suites/engine/plan.ts';
import { readAcknowledged, readAcknowledgedToUpdate, today, updateText } from '../baseline-file.ts';
import type { DiffFlags, diff as definition } from '../definitions/diff.ts';
import { diffProgress, openJournals, type SideJournals } from '../diff-events.ts';
import { type Sides, selectionOf, sidesOf, versionText } from '../diff-sides.ts';
import { refusingFilters } from '../filter-suggestion.ts';
import { givenOf, type Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { interruption } from '../interruption.ts';
import { knownSecrets, shown } from '../known-secrets.ts';
import { openDocuments, reporterChoices, terminalOf, writeDocuments } from '../outputs.ts';
import { inFolder, stoppedText } from '../run-folder.ts';
import { waitForTarget } from '../target.ts';
import { errors, output, tell, writeText } from '../writer.ts';

/** Redacts a report for display, which is possible now that both servers are known. */
const redactedReport = redactorOf<DifferenceReport>(differenceSchema);

/** Throws a `UsageError` for flags that cannot go together. */
function checkFlags({ allow, acknowledge, reason }: DiffFlags): void {
  if (allow !== undefined && acknowledge !== undefined)
    refuse('--acknowledge reads its file as --allow does, and writes it anew: give one of them');
  if (acknowledge !== undefined && (reason ?? '').trim() === '')
    refuse('--acknowledge needs --reason: why may be there what is new in it?');
  if (acknowledge === undefined && reason !== undefined)
    refuse('--reason is of new entries, which --acknowledge FILE writes');
}

/**
 * Compares two servers, or a server with the recording of another. Shows the help if neither is named. Returns the exit
 * code.
 */
export const diffCommand: Work<typeof definition> = async (flags, [a, b], command) => {
  if ([a, b, flags.configA, flags.configB].every(one => one === undefined)) {
    command.outputHelp({ error: true });
    return 2;
  }
  checkFlags(flags);
  const { allow, acknowledge } = flags;
  const allowed = allow === undefined ? undefined : readAcknowledged(allow);
  const file = acknowledge === undefined ? allowed : readAcknowledgedToUpdate(acknowledge);
  const sides = await sidesOf(a, b, flags);
  const selection = selectionOf(flags, sides.recorded, givenOf(command));
  refusingFilters(() => select(selection));
  const note = sides.recorded && versionText(sides.recorded);
  if (note !== undefined) tell(`${note}\n`);
  return inFolder(flags.out, () => comparedInto(sides, selection, file, flags));
};

/** Compares, and writes the results into the folder of `--out`. Returns the exit code. */
async function comparedInto(
  sides: Sides,
  selection: ReturnType<typeof selectionOf>,
  file: AcknowledgedFile | undefined,
  flags: DiffFlags,
): Promise<number> {
  const { recorded } = sides;
  const { out, noiseRuns, failOn, sameStart = false } = flags;
  const journals = { a: sides.a && openJournals(out, 'a', noiseRuns), b: openJournals(out, 'b', noiseRuns) };
  const opened = compact([journals.a, journals.b]);
  const documents = openDocuments(
    reporterChoices(flags, differenceReporters),
    opened.flatMap(({ files }) => files),
  );
  const outcome = await compared(sides, selection, journals, flags);
  /** Returns what the report says of a side. */
  const sideOf = (side: 'a' | 'b', name = ''): SideReport => {
    const { outcome: ended, because, requests } = outcome[side];
    const isRecording = side === 'a' && recorded !== undefined;
    return {
      name,
      isRecording,
      outcome: ended,
      ...present({ because }),
      requests,
      noiseRuns: isRecording ? 0 : noiseRuns,
      journals: [...(journals[side]?.files ?? [])],
    };
  };
  const { seed, profile, readOnly, only, skip } = selection;
  const servers: ComparedServers = {
    comparison: outcome.comparison,
    reports: { a: journals.a?.report(), b: journals.b.report() },
    a: sideOf('a', recorded?.name ?? sides.a?.target.baseUrl.href),
    b: sideOf('b', sides.b.target.baseUrl.href),
    seed,
    profile,
    options: { failOn, sameStart, readOnly, only: [...only], skip: [...skip] },
  };
  const report = redactedReport(acknowledged(servers, file, flags), knownSecrets());
  const others = opened.flatMap(({ files }) => files.slice(0, 1));
  const display = { ...terminalOf(output), ...present({ maxFailures: flags.maxFailures }), others };
  await writeDocuments(documents, display, async (name, how) =>
    vouched(await differenceReporters[name].text(report, how)),
  );
  return report.exitCode;
}

/** Runs the comparison in step, with journals and progress. An interruption puts both servers back. */
async function compared(
  { a, b, recorded }: Sides,
  { only, skip, ...selection }: ReturnType<typeof selectionOf>,
  journals: { readonly a: SideJournals | undefined; readonly b: SideJournals },
  flags: DiffFlags,
): Promise<DiffOutcome> {
  const { concurrency, timeout, settle, rate, maxRequests, noiseRuns, sameStart = false } = flags;
  const files = compact([journals.a, journals.b]).flatMap(one => one.files);
  const interrupted = interruption(() => files.map(stoppedText).join(''));
  const progress = diffProgress(errors);
  let full: Error | undefined;
  const serverOfDiff = ({ target, config }: Sides['b'], own: SideJournals) => ({
    target,
    config,
    emit(event: Shown<RunEvent>, run: number): void {
      try {
        if (full === undefined) own.event(event, run);
      } catch (error) {
        full = error as Error;
        interrupted.stop();
      }
      progress.event(event);
    },
  });
  try {
    for (const { target } of compact([a, b])) await waitForTarget(target, flags, interrupted.signal);
    const first = a && journals.a ? serverOfDiff(a, journals.a) : recorded?.recording;
    if (first === undefined) refuse('which server is A?');
    const run = { ...selection, selection: { only, skip }, concurrency, rate, maxRequests, signal: interrupted.signal };
    const outcome = await refusing([OneBackend], () =>
      diff({
        a: first,
        b: serverOfDiff(b, journals.b),
        run: { ...run, timeoutMs: timeout, settleMs: settle },
        noiseRuns,
        sameStart,
        onPhase: progress.phase,
      }),
    );
    if (full !== undefined) throw full;
    return outcome;
  } finally {
    progress.stop();
    interrupted.done();
    await a?.close();
    await b.close();
    journals.a?.close();
    journals.b.close();
  }
}

/** Judges by the acknowledged differences. With `--acknowledge`, rewrites their file first. */
function acknowledged(
  servers: ComparedServers,
  file: AcknowledgedFile | undefined,
  flags: DiffFlags,
): DifferenceReport {
  if (file === undefined) return differenceReport(servers);
  const judged = ({ acknowledged: entries }: Pick<AcknowledgedFile, 'acknowledged'>): DifferenceReport =>
    differenceReport(servers, {
      file: { ...file, acknowledged: entries },
      today: today(),
    });
  if (flags.acknowledge === undefined) return judged(file);
  const extent = extentOf(servers);
  if (!extent.isComplete) {
    tell(`${file.name} stays as it was: the comparison did not come to its end\n`);
    return judged(file);
  }
  const { reason = '', failOn } = flags;
  const update = updatedAcknowledged(file.acknowledged, servers.comparison.places, extent, { reason, failOn });
  writeText(file.name, shown(acknowledgedText(update.acknowledged)));
  tell(updateText(file.name, update));
  return judged(update);
}
