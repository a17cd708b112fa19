import { join } from 'node:path';
import { compact, present } from '../../contracts/present.ts';
import { type Shown, vouched } from '../../contracts/redaction/shown.ts';
import { redactorOf } from '../../contracts/redaction/values.ts';
import {
  type DifferenceReport,
  differenceReport as differenceSchema,
  type SideReport,
} from '../../contracts/report/difference.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import { type AcknowledgedFile, acknowledgedText, updatedAcknowledged } from '../../reports/difference/acknowledged.ts';
import { type ComparedServers, differenceReport, extentOf } from '../../reports/difference/report.ts';
import { differenceReporters } from '../../reports/difference/reporters.ts';
import { foldJournal } from '../../reports/index.ts';
import { progressBar } from '../../reports/run/progress.ts';
import { capitalized } from '../../reports/text/verdict-text.ts';
import { type DiffOutcome, diff, OneBackend } from '../../suites/diff/index.ts';
import { select } from '../../suites/engine/plan.ts';
import { readAcknowledged, readAcknowledgedToUpdate, today, updateText } from '../baseline-file.ts';
import type { DiffFlags, diff as definition } from '../definitions/target.ts';
import { type Sides, selectionOf, sidesOf } from '../diff-sides.ts';
import { refusingFilters } from '../filter-suggestion.ts';
import { givenOf, type Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { interruption } from '../interruption.ts';
import { filesOf, openDocuments, reporterChoices, terminalOf } from '../outputs.ts';
import { refuseTwice } from '../own-file.ts';
import { inFolder, journalLine, keepUnrestored, stoppedText } from '../run-folder.ts';
import { waitForTarget } from '../target.ts';
import { errors, knownSecrets, openFile, replaceText, shown, tell } from '../writer.ts';

/** Redacts a report for display, which is possible now that both servers are known. */
const redactedReport = redactorOf<DifferenceReport>(differenceSchema);

/** Throws a `UsageError` for flags that cannot go together. */
function checkFlags({ allow, acknowledge, reason }: DiffFlags): void {
  if (allow !== undefined && acknowledge !== undefined)
    refuse('--acknowledge reads its file as --allow does, and writes it anew: give one of them');
  if (acknowledge !== undefined && (reason ?? '').trim() === '')
    refuse('--acknowledge needs --reason TEXT for new entries');
  if (acknowledge === undefined && reason !== undefined) refuse('--reason works only with --acknowledge');
}

/**
 * Compares two servers, or a server with the recording of another. Shows the help if neither is named. Returns the exit
 * code.
 */
export const command: Work<typeof definition> = async (flags, [a, b], command) => {
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
  const { name, recording } = sides.recorded ?? {};
  if (recording && recording.tool !== tool.version)
    tell(
      `${name} was recorded by version ${recording.tool}, and this is ${tool.version}: what only one of them sends is not compared\n`,
    );
  return inFolder(flags.out, () => comparedInto(sides, selection, file, flags));
};

/**
 * Opens the journals of a side's runs under the folder `out`, before anything is sent. The last run's journal comes
 * first. Throws a `UsageError` if one cannot be written.
 */
function openJournals(out: string, letter: 'a' | 'b', noiseRuns: number) {
  let fold: ReturnType<typeof foldJournal> | undefined;
  const files = Array.from({ length: noiseRuns + 1 }, (_, run) =>
    join(out, run === 0 ? `${letter}.ndjson` : `${letter}-noise-${run}.ndjson`),
  );
  for (const file of files) keepUnrestored(file);
  const opened = files.map(file => openFile(file, '--out', out));
  return {
    files,
    /**
     * Writes an event of a run (0: the last one) at once. A killed process then leaves what is needed to restore the
     * server. Throws a `UsageError` if the disk is full or gone.
     */
    event(event: Shown<RunEvent>, run: number): void {
      if (event.event === 'progress') return;
      opened[run]?.write(journalLine(event));
      if (run > 0) return;
      fold ??= foldJournal();
      fold.add(event);
    },
    close(): void {
      for (const file of opened) file.close();
    },
    /** Returns the report of the last run; undefined if it never began. */
    report: () => fold?.report(),
  };
}

type SideJournals = ReturnType<typeof openJournals>;

/**
 * Shows the progress of a comparison on the standard error: one line a phase, and at a terminal also a bar for both
 * runs.
 */
function diffProgress() {
  const display = terminalOf(errors);
  const write = (text: string): void => errors.write(shown(text));
  let bar: ReturnType<typeof progressBar> | undefined;
  let hasBegun = false;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
    hasBegun = false;
  };
  return {
    phase(what: string): void {
      stop();
      write(`${capitalized(what)}.\n`);
      if (display.interactive) bar = progressBar({ ...display, write });
    },
    event(event: RunEvent): void {
      hasBegun ||= event.event === 'run-start';
      if (hasBegun) bar?.event(event);
    },
    stop,
  };
}

/** Compares, and writes the results into the folder of `--out`. Returns the exit code. */
async function comparedInto(
  sides: Sides,
  selection: ReturnType<typeof selectionOf>,
  file: AcknowledgedFile | undefined,
  flags: DiffFlags,
): Promise<number> {
  const { a, b, recorded } = sides;
  const { out, noiseRuns, failOn, sameStart = false, maxFailures } = flags;
  const chosen = reporterChoices(flags, differenceReporters);
  const read = compact([recorded?.name, file?.name, flags.config, flags.configA, flags.configB]);
  refuseTwice(filesOf(chosen), read);
  const journals = { a: a && openJournals(out, 'a', noiseRuns), b: openJournals(out, 'b', noiseRuns) };
  const files = compact([journals.a, journals.b]).map(one => one.files);
  const writeDocuments = openDocuments(chosen, { taken: files.flat(), read });
  const outcome = await compared(sides, selection, journals, flags, () => files.flat().map(stoppedText).join(''));
  /** Returns what the report says of a side. */
  const sideOf = (side: 'a' | 'b', name = '', isRecording = false): SideReport => {
    const { outcome: ended, because, requests } = outcome[side];
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
    a: sideOf('a', recorded?.name ?? a?.target.baseUrl.href, recorded !== undefined),
    b: sideOf('b', b.target.baseUrl.href),
    seed,
    profile,
    options: { failOn, sameStart, readOnly, only: [...only], skip: [...skip] },
  };
  const report = redactedReport(acknowledged(servers, file, flags), knownSecrets());
  const others = files.flatMap(own => own.slice(0, 1));
  await writeDocuments(async (name, how) => vouched(await differenceReporters[name].text(report, how)), {
    maxFailures,
    others,
  });
  return report.exitCode;
}

/** Runs the comparison in step, with journals and progress. An interruption puts both servers back. */
async function compared(
  { a, b, recorded }: Sides,
  { only, skip, ...selection }: ReturnType<typeof selectionOf>,
  journals: { readonly a: SideJournals | undefined; readonly b: SideJournals },
  flags: DiffFlags,
  stopped: () => string,
): Promise<DiffOutcome> {
  const { concurrency, timeout, settle, rate, maxRequests, noiseRuns, sameStart = false } = flags;
  const { signal, stop, done } = interruption(stopped);
  const progress = diffProgress();
  let full: Error | undefined;
  const serverOfDiff = ({ target, config }: Sides['b'], own: SideJournals) => ({
    target,
    config,
    emit(event: Shown<RunEvent>, run: number): void {
      try {
        if (!full) own.event(event, run);
      } catch (error) {
        full = error as Error;
        stop();
      }
      progress.event(event);
    },
  });
  try {
    for (const { target } of compact([a, b])) await waitForTarget(target, flags, signal);
    const first = a && journals.a ? serverOfDiff(a, journals.a) : recorded?.recording;
    if (!first) refuse('which server is A?');
    const run = { ...selection, selection: { only, skip }, concurrency, rate, maxRequests, signal };
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
    if (full) throw full;
    return outcome;
  } finally {
    progress.stop();
    done();
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
  if (!file) return differenceReport(servers);
  const judged = (by: AcknowledgedFile): DifferenceReport => differenceReport(servers, { file: by, today: today() });
  if (flags.acknowledge === undefined) return judged(file);
  const extent = extentOf(servers);
  if (!extent.isComplete) {
    tell(`${file.name} stays as it was: the comparison did not come to its end\n`);
    return judged(file);
  }
  const { reason = '', failOn } = flags;
  const update = updatedAcknowledged(file.acknowledged, servers.comparison.places, extent, { reason, failOn });
  replaceText(file.name, shown(acknowledgedText(update.acknowledged)), '--acknowledge');
  tell(updateText(file.name, update));
  return judged({ ...file, acknowledged: update.acknowledged });
}
