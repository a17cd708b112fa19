import { join } from 'node:path';
import type { Shown } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { reporters } from '../reports/index.ts';
import { createRecorder } from '../suites/diff/index.ts';
import { PathNeedsOneCheck } from '../suites/engine/plan.ts';
import { run } from '../suites/engine/run.ts';
import type { RunFlags } from './definitions/target.ts';
import { refusing } from './input.ts';
import { interruption } from './interruption.ts';
import {
  isGithub,
  journalLine,
  openReports,
  type ReporterChoice,
  reporterChoice,
  reporterChoices,
  shownOf,
  showsPage,
  terminalOf,
} from './outputs.ts';
import { type PreparedRun, preparedRun, type RunContext, updateCoverage } from './prepared-run.ts';
import { openRecord } from './record-output.ts';
import { reproFiles, scriptsLine } from './repro-files.ts';
import { claimFolder, keepUnrestored, stoppedText } from './run-folder.ts';
import { waitForTarget } from './target.ts';
import { openFile, output, print, tell } from './writer.ts';

/**
 * Returns the reporters of the run. JSON is always there; the terminal and JUnit are the default. In a GitHub workflow
 * annotations are added, unless a document goes to the standard output.
 */
function choices(flags: RunFlags): readonly ReporterChoice[] {
  const chosen = reporterChoices(flags, reporters, ['terminal', 'junit']);
  const isTaken = chosen.some(({ name, file }) => file === null && name !== 'terminal');
  return isGithub() && !isTaken ? [...chosen, reporterChoice('github', flags.out, reporters)] : chosen;
}

/**
 * Opens the consumers of a run's events: journal, reports, scripts and recording. `stop` ends a run whose journal
 * cannot be written. `closing` receives functions to call in any case.
 */
async function openSinks(
  { flags, last, baseline, chosen, attest, bail }: PreparedRun,
  journalFile: string,
  stop: () => void,
  closing: (() => void)[],
) {
  const journal = openFile(journalFile, '--out', flags.out);
  const asked = choices(flags);
  const repro = reproFiles(flags.out);
  const record = flags.record === undefined ? undefined : openRecord(flags.record);
  closing.push(() => record?.close());
  const recorder = record && createRecorder(chosen.target);
  const terminal = { ...terminalOf(output), ...shownOf(flags, last) };
  const reports = await openReports(asked, terminal, baseline, [journalFile], [flags.record ?? []].flat());
  if (chosen.embedded && asked.some(({ name }) => name === 'terminal')) {
    const { origin } = chosen.target.baseUrl;
    print(`No --base-url and no --config: testing the embedded reference server at ${origin}\n`);
  }
  let full: Error | null = null;
  return {
    watch: recorder?.watch,
    abandon: reports.abandon,
    emit(event: Shown<RunEvent>): void {
      try {
        // Write at once and synchronously, so that a killed run keeps its journal.
        if (full === null && event.event !== 'progress') journal.write(journalLine(event));
      } catch (error) {
        full = error as Error;
        // Before anything is sent there is nothing to restore; later the run has to end in order.
        if (event.event === 'run-start') throw full;
        stop();
      }
      reports.event(event);
      repro.event(event);
      recorder?.event(event);
      bail?.look(event, reports.report);
    },
    /** Writes everything. Throws the first error of any consumer. */
    async end() {
      try {
        journal.close();
      } catch (error) {
        full ??= error as Error;
      }
      // Write the reports even if the journal is incomplete, because they name what could not be put back.
      const exitCode = await reports.end().catch((error: unknown) => {
        full ??= error as Error;
        return 2;
      });
      if (recorder !== undefined) record?.keep(recorder.recording());
      if (full !== null) throw full;
      const report = reports.report();
      attest?.write(report, journalFile);
      const scripts = repro.write(report);
      if (showsPage(asked) && scripts.length > 0) output.write(scriptsLine(scripts));
      return { exitCode, report };
    },
  };
}

/**
 * Makes one run and writes its reports. Throws a `UsageError` before anything is sent for a mistake in a flag, a file
 * or a filter. Also throws one for a report that cannot be written.
 */
export async function oneRun(asked: RunFlags, context: RunContext) {
  const prepared = await preparedRun(asked, context);
  const { flags, selection, learned, chosen, minCoverage, bailAt, bail } = prepared;
  const journalFile = join(flags.out, 'journal.ndjson');
  let opened: Awaited<ReturnType<typeof openSinks>> | undefined;
  const interrupted = interruption(() => {
    opened?.abandon();
    return opened === undefined ? '' : stoppedText(journalFile);
  });
  const closing: (() => void)[] = [];
  try {
    closing.push(await claimFolder(flags.out));
    keepUnrestored(journalFile);
    const sinks = await openSinks(prepared, journalFile, interrupted.stop, closing);
    opened = sinks;
    const { seed, profile, requirements, concurrency, rate, trace, maxRequests, time, path, config: file } = flags;
    const { readOnly = false, strict = false } = flags;
    const config = {
      target: chosen.target,
      embedded: chosen.embedded,
      selection,
      seed,
      profile,
      requirements,
      concurrency,
      timeoutMs: flags.timeout,
      maxResponseMs: flags.maxResponseTime,
      settleMs: flags.settle,
      rate,
      trace,
      maxRequests,
      timeMs: time && Math.ceil(time),
      readOnly,
      strict,
      path,
      learned,
      config: file,
      journal: journalFile,
      minCoverage,
      bail: bailAt,
      enough: bail?.enough,
      signal: interrupted.signal,
      watch: sinks.watch,
    };
    await waitForTarget(chosen.target, flags, interrupted.signal);
    await refusing([PathNeedsOneCheck], () => run(config, sinks.emit));
    const { exitCode, report } = await sinks.end();
    if (flags.updateCoverage && file !== undefined)
      tell(`${updateCoverage(file, report, chosen.minCoverage, flags.minCoverage !== undefined)}\n`);
    return { exitCode, report, target: chosen.target };
  } finally {
    for (const close of closing) close();
    interrupted.done();
    await chosen.close();
  }
}

/** A run that has ended. */
export type EndedRun = Awaited<ReturnType<typeof oneRun>>;
