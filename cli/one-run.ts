import { join } from 'node:path';
import { compact } from '../contracts/present.ts';
import { reporters } from '../reports/index.ts';
import { createRecorder } from '../suites/diff/index.ts';
import { PathNeedsOneCheck } from '../suites/engine/plan.ts';
import { run } from '../suites/engine/run.ts';
import type { RunFlags } from './definitions/target.ts';
import { refusing } from './input.ts';
import { interruption } from './interruption.ts';
import {
  filesOf,
  isGithub,
  openReports,
  type ReporterChoice,
  reporterChoice,
  reporterChoices,
  showsPage,
} from './outputs.ts';
import { refuseTwice } from './own-file.ts';
import { preparedRun, type RunContext, updateCoverage } from './prepared-run.ts';
import { openRecord } from './record-output.ts';
import { inFolder, journalLine, keepUnrestored, reproFiles, stoppedText } from './run-folder.ts';
import { waitForTarget } from './target.ts';
import { openFile, print, removeUnwritten, tell } from './writer.ts';

/**
 * Returns the reporters of the run. JSON is always there; the terminal and JUnit are the default. In a GitHub workflow
 * annotations are added, unless a document goes to the standard output.
 */
function choices(flags: RunFlags): readonly ReporterChoice[] {
  const chosen = reporterChoices(flags, reporters, ['terminal', 'junit']);
  const isTaken = chosen.some(({ name, file }) => !file && name !== 'terminal');
  return isGithub() && !isTaken ? [...chosen, reporterChoice('github', flags.out, reporters)] : chosen;
}

/**
 * Makes one run and writes its reports. Throws a `UsageError` before anything is sent for a mistake in a flag, a file
 * or a filter. Also throws one for a report that cannot be written.
 */
export async function oneRun(asked: RunFlags, context: RunContext) {
  const prepared = await preparedRun(asked, context);
  const { flags, last, selection, attest, baseline, learned, chosen, minCoverage, bailAt, bail } = prepared;
  const { out, timeout, settle, maxResponseTime, time, config: file } = flags;
  const { target, embedded } = chosen;
  const journalFile = join(out, 'journal.ndjson');
  let reports: Awaited<ReturnType<typeof openReports>> | undefined;
  let record: ReturnType<typeof openRecord> | undefined;
  const { signal, stop, done } = interruption(() => {
    reports?.abandon();
    return !reports ? '' : stoppedText(journalFile);
  });
  /** Opens the consumers of the run's events, runs, and writes everything. Throws the first error of any consumer. */
  async function ran() {
    const chosenReporters = choices(flags);
    const taken = compact([flags.record, flags.attest]);
    refuseTwice(
      [...taken, journalFile, ...filesOf(chosenReporters)],
      compact([flags.baseline, file, flags.sign, flags.learned]),
    );
    keepUnrestored(journalFile);
    const journal = openFile(journalFile, '--out', out);
    const repro = reproFiles(out);
    if (flags.record !== undefined) record = openRecord(flags.record);
    const recorder = record && createRecorder(target);
    const opened = await openReports(chosenReporters, flags, { baseline, journal: journalFile, taken, live: { last } });
    reports = opened;
    if (embedded && chosenReporters.some(({ name }) => name === 'terminal'))
      print(`No --base-url and no --config: testing the embedded reference server at ${target.baseUrl.origin}\n`);
    let full: Error | null = null;
    const { seed, profile, requirements, concurrency, rate, trace, maxRequests, path } = flags;
    const { readOnly = false, strict = false } = flags;
    const config = {
      target,
      embedded,
      selection,
      seed,
      profile,
      requirements,
      concurrency,
      rate,
      trace,
      maxRequests,
      readOnly,
      strict,
      path,
      timeoutMs: timeout,
      maxResponseMs: maxResponseTime,
      settleMs: settle,
      timeMs: time && Math.ceil(time),
      learned,
      config: file,
      journal: journalFile,
      minCoverage,
      bail: bailAt,
      enough: bail?.enough,
      signal,
      watch: recorder?.watch,
    };
    await waitForTarget(target, flags, signal);
    await refusing([PathNeedsOneCheck], () =>
      run(config, event => {
        try {
          // Write at once and synchronously, so that a killed run keeps its journal.
          if (!full && event.event !== 'progress') journal.write(journalLine(event));
        } catch (error) {
          full = error as Error;
          // Before anything is sent there is nothing to restore; later the run has to end in order.
          if (event.event === 'run-start') throw full;
          stop();
        }
        opened.event(event);
        repro.event(event);
        recorder?.event(event);
        bail?.look(event, opened.report);
      }),
    );
    try {
      journal.close();
    } catch (error) {
      full ??= error as Error;
    }
    // Write the reports even if the journal is incomplete, because they name what could not be put back.
    const exitCode = await opened.end().catch((error: unknown) => {
      full ??= error as Error;
      return 2;
    });
    if (recorder) record?.keep(recorder.recording());
    if (full) throw full;
    const report = opened.report();
    attest?.write(report, journalFile);
    repro.write(report, showsPage(chosenReporters));
    if (flags.updateCoverage && file !== undefined)
      tell(`${updateCoverage(file, report, chosen.minCoverage, flags.minCoverage !== undefined)}\n`);
    return { exitCode, report, target };
  }
  try {
    return await inFolder(out, ran);
  } catch (error) {
    // A start that failed leaves nothing to report on.
    reports?.abandon();
    removeUnwritten(journalFile);
    throw error;
  } finally {
    record?.close();
    done();
    await chosen.close();
  }
}

/** A run that has ended. */
export type EndedRun = Awaited<ReturnType<typeof oneRun>>;
