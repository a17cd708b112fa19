import { join } from 'node:path';
import type { Profile, RunEvent } from '../../contracts/report/journal.ts';
import { NothingSelected, PathNeedsOneCheck, select } from '../../suites/engine/plan.ts';
import { run } from '../../suites/engine/run.ts';
import { readBaseline } from '../baseline-file.ts';
import { checkCoverageFlags, minCoverageOf, updateCoverage } from '../coverage.ts';
import { refusing, UsageError } from '../input.ts';
import {
  isGithub,
  openFile,
  openReports,
  type ReporterChoice,
  reporterChoice,
  shownOf,
  terminalOf,
} from '../outputs.ts';
import { readLearned } from '../report-file.ts';
import { reproFiles, scriptsLine } from '../repro-files.ts';
import { chooseTarget, type TargetFlags } from '../target.ts';
import { waitForTarget } from '../waiting.ts';

/** The flags of `run`, as commander hands them over. */
export interface RunFlags extends TargetFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly profile: Profile;
  readonly seed: number;
  readonly learned?: string;
  readonly path?: string;
  readonly concurrency: number;
  readonly rate?: number;
  readonly maxRequests?: number;
  readonly time?: number;
  readonly timeout: number;
  readonly maxResponseTime?: number;
  readonly settle: number;
  readonly readOnly?: boolean;
  readonly strict?: boolean;
  readonly shard?: { index: number; total: number };
  readonly reporter: readonly string[];
  readonly out: string;
  readonly baseline?: string;
  readonly verbose?: boolean;
  readonly maxFailures?: number;
  readonly minCoverage?: number;
  readonly updateCoverage?: boolean;
}

/**
 * The reporters of the run: the JSON report always, the terminal and JUnit unless reporters are named, and annotations
 * in a GitHub workflow, unless a document goes to the standard output.
 */
function choices(flags: RunFlags, environment: NodeJS.ProcessEnv): readonly ReporterChoice[] {
  const named = flags.reporter.map(text => reporterChoice(text, flags.out));
  const chosen = named.length > 0 ? named : ['terminal', 'junit'].map(name => reporterChoice(name, flags.out));
  const hasReport = chosen.some(({ name, file }) => name === 'json' && file !== null);
  const isTaken = chosen.some(({ name, file }) => file === null && name !== 'terminal');
  return [
    ...chosen,
    ...(hasReport ? [] : [reporterChoice('json', flags.out)]),
    ...(isGithub(environment) && !isTaken ? [reporterChoice('github', flags.out)] : []),
  ];
}

/** Handles Ctrl-C until `done` is called: the first aborts the signal, the second ends the process at once. */
export function interruption(): { signal: AbortSignal; stop(): void; done(): void } {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write(
      '\nInterrupted: putting back what was changed and writing the reports. Once more to stop at once.\n',
    );
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    stop: () => controller.abort(),
    done: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/** Carries out `run`. Returns the exit code. */
export async function runCommand(flags: RunFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  const selection = { only: flags.only, skip: flags.skip, shard: flags.shard };
  await refusing([NothingSelected], () => select(selection));
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  if (flags.path !== undefined && flags.time !== undefined)
    throw new UsageError('--path replays one case, and --time looks for more: give one of them');
  checkCoverageFlags(flags);
  const learned = flags.learned === undefined ? undefined : readLearned(flags.learned);
  const chosen = await chooseTarget(flags, environment);
  const minCoverage = minCoverageOf(flags, chosen.minCoverage);
  if (minCoverage === undefined && chosen.minCoverage !== undefined)
    process.stderr.write('coverage.min is about whole runs of the standard profile: it does not bind this one\n');
  const interrupted = interruption();
  try {
    const journalFile = join(flags.out, 'journal.ndjson');
    const journal = openFile(journalFile);
    const reporters = choices(flags, environment);
    const terminal = { ...terminalOf(process.stdout, environment), verbose: flags.verbose ?? false, ...shownOf(flags) };
    const repro = reproFiles(flags.out);
    const reports = await openReports(reporters, terminal, baseline, [journalFile]);
    if (chosen.embedded && reporters.some(({ name }) => name === 'terminal')) {
      process.stdout.write(
        `No --base-url and no --config: testing the embedded reference server at ${chosen.target.baseUrl.origin}\n`,
      );
    }
    let full: Error | null = null;
    const emit = (event: RunEvent): void => {
      try {
        // Write at once and synchronously, so that a run that is killed keeps its journal.
        if (full === null && event.event !== 'progress') journal.write(`${JSON.stringify(event)}\n`);
      } catch (error) {
        full = error as Error;
        // Before anything is sent there is nothing to put back; later the run has to end in order.
        if (event.event === 'run-start') throw full;
        interrupted.stop();
      }
      reports.event(event);
      repro.event(event);
    };
    const config = {
      target: chosen.target,
      embedded: chosen.embedded,
      selection,
      seed: flags.seed,
      profile: flags.profile,
      concurrency: flags.concurrency,
      timeoutMs: flags.timeout,
      maxResponseMs: flags.maxResponseTime,
      settleMs: flags.settle,
      rate: flags.rate,
      maxRequests: flags.maxRequests,
      timeMs: flags.time === undefined ? undefined : Math.ceil(flags.time),
      readOnly: flags.readOnly ?? false,
      strict: flags.strict ?? false,
      path: flags.path,
      learned,
      config: flags.config,
      minCoverage,
      signal: interrupted.signal,
    };
    await waitForTarget(chosen.target, flags, interrupted.signal);
    await refusing([PathNeedsOneCheck], () => run(config, emit));
    journal.close();
    // Write the reports even if the journal is incomplete: they name what could not be put back.
    const exitCode = await reports.end().catch((error: unknown) => {
      full ??= error as Error;
      return 2;
    });
    if (full !== null) throw full;
    const scripts = repro.write(reports.report());
    const isShown = reporters.some(({ name, file }) => name === 'terminal' && file === null);
    if (isShown && scripts.length > 0) process.stdout.write(scriptsLine(scripts));
    if (flags.updateCoverage && flags.config !== undefined) {
      const mayLower = flags.minCoverage !== undefined;
      process.stderr.write(`${updateCoverage(flags.config, reports.report(), chosen.minCoverage, mayLower)}\n`);
    }
    return exitCode;
  } finally {
    interrupted.done();
    await chosen.close();
  }
}
