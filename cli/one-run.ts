import { join } from 'node:path';
import { own, type Shown } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { setNamed, setNames } from '../contracts/requirements/sets.ts';
import { reporters } from '../reports/index.ts';
import { failedChecks } from '../reports/journal/last-run.ts';
import { counted } from '../reports/text/page.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { createRecorder } from '../suites/diff/index.ts';
import { PathNeedsOneCheck, type Selection, select } from '../suites/engine/plan.ts';
import { run } from '../suites/engine/run.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { attesting } from './attestation-file.ts';
import { bailing } from './bail.ts';
import { readBaseline } from './baseline-file.ts';
import { checkCoverageFlags, minCoverageOf, updateCoverage } from './coverage.ts';
import type { RunFlags } from './definitions/target.ts';
import { refusingFilters } from './filter-suggestion.ts';
import { refusing, UsageError } from './input.ts';
import { interruption } from './interruption.ts';
import { shown } from './known-secrets.ts';
import {
  isGithub,
  journalLine,
  openReports,
  type ReporterChoice,
  reporterChoice,
  reporterChoices,
  shownOf,
  terminalOf,
} from './outputs.ts';
import { openRecord } from './record-output.ts';
import { type RecordedTargetFlags, recordedTarget, tellAddress } from './recorded-target.ts';
import { readLearned } from './report-file.ts';
import { reproFiles, scriptsLine } from './repro-files.ts';
import { claimFolder, keepUnended, stoppedText } from './run-folder.ts';
import { chooseTarget } from './target.ts';
import { waitForTarget } from './waiting.ts';
import { errors, openFile, output } from './writer.ts';

/**
 * The reporters of the run: the JSON report always, the terminal and JUnit unless reporters are named, and annotations
 * in a GitHub workflow, unless a document goes to the standard output.
 */
function choices(flags: RunFlags, environment: NodeJS.ProcessEnv): readonly ReporterChoice[] {
  const chosen = reporterChoices(flags, reporters, ['terminal', 'junit']);
  const isTaken = chosen.some(({ name, file }) => file === null && name !== 'terminal');
  return isGithub(environment) && !isTaken ? [...chosen, reporterChoice('github', flags.out, reporters)] : chosen;
}

/** Flags of runs that cannot be sent again as they were. */
const unrepeatable = { path: '--path', time: '--time', shard: '--shard', bail: '--bail', failed: '--failed' } as const;

/** Throws a `UsageError` where a run that is to be recorded could not be sent to another server. */
function checkRecordFlags(flags: RunFlags): void {
  const other = (Object.keys(unrepeatable) as (keyof typeof unrepeatable)[]).find(name => flags[name] !== undefined);
  if (flags.record !== undefined && other !== undefined)
    throw new UsageError(
      `--record keeps a run that \`diff\` sends to another server: not one with ${unrepeatable[other]}`,
    );
}

/** Throws a `UsageError` for a set of requirements that this suite does not have. */
function checkSet(name: string | undefined): void {
  if (name !== undefined && setNamed(name) === undefined)
    throw new UsageError(`--requirements ${name}: there is no set of that name; there are ${setNames.join(', ')}`);
}

/** Throws a `UsageError` for flags that cannot go together. */
function checkSelectionFlags(flags: RunFlags): void {
  checkRecordFlags(flags);
  const { failed, bail, path, updateCoverage } = flags;
  if (path !== undefined && flags.time !== undefined)
    throw new UsageError('--path replays one case, and --time looks for more: give one of them');
  if (failed === true && path !== undefined)
    throw new UsageError('--path replays one case, and --failed every check that failed: give one of them');
  if (bail !== undefined && updateCoverage)
    throw new UsageError('--update-coverage writes what a whole run reaches, and --bail may end it before: give one');
  checkCoverageFlags(flags);
}

/** The flags of a run, and where its address came from where a report names it. */
type AskedRun = RunFlags & Pick<RecordedTargetFlags, 'addressFrom'>;

/** What a run is made with besides its flags. */
interface RunContext {
  /** The run before this one: then what changed since is told, and what failed goes first. */
  readonly last?: Report | undefined;
  /** The flags that were given, by the names of their properties; the others have their defaults. */
  readonly given: ReadonlySet<string>;
}

/** A run that came to its end. */
export interface EndedRun {
  readonly exitCode: number;
  readonly report: Report;
  readonly target: Target;
}

/** The flags of a run that tries again what failed last: its target, its selection and all that decides what it sends. */
function flagsOfFailed(flags: RunFlags, last: Report, { given }: RunContext): AskedRun {
  const units = new Set(refusingFilters(() => select({ only: flags.only, skip: flags.skip })).map(({ id }) => id));
  const failed = failedChecks(last).filter(id => units.has(id));
  if (failed.length === 0)
    throw new UsageError('nothing of what was asked for failed in the last run; leave out --failed to run everything');
  const { seed, profile, options } = last;
  const chosen = {
    ...flags,
    ...recordedTarget(last, `the last run under ${flags.out}`, flags),
    only: failed,
    skip: [],
    seed: given.has('seed') ? flags.seed : seed,
    profile: given.has('profile') ? flags.profile : profile,
    readOnly: flags.readOnly === true || options.readOnly,
    strict: flags.strict === true || options.strict,
  };
  const what = `${counted(failed.length, 'check')} of the run of ${safeText(last.startedAt, 40)}`;
  errors.say(shown(`Only what failed last: ${what}, seed ${chosen.seed}, profile ${chosen.profile}.\n`));
  return chosen;
}

/**
 * Makes one run and writes its reports. Throws a `UsageError` for a mistake in a flag, a file or a filter, before
 * anything is sent, and for a report that cannot be written.
 */
export async function oneRun(
  asked: RunFlags,
  environment: NodeJS.ProcessEnv,
  context: RunContext = { given: new Set() },
): Promise<EndedRun> {
  checkSelectionFlags(asked);
  const { last } = context;
  const flags: AskedRun = asked.failed && last !== undefined ? flagsOfFailed(asked, last, context) : asked;
  const selection: Selection = {
    only: flags.only,
    skip: flags.skip,
    shard: flags.shard,
    first: last === undefined ? [] : failedChecks(last),
  };
  refusingFilters(() => select(selection));
  checkSet(flags.requirements);
  const attest = attesting(flags);
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const learned =
    flags.learned === undefined ? (flags === asked ? undefined : last?.learned) : readLearned(flags.learned);
  const chosen = await chooseTarget(flags, environment);
  if (flags !== asked) tellAddress(chosen, flags);
  const minCoverage = minCoverageOf(flags, chosen.minCoverage);
  if (minCoverage === undefined && chosen.minCoverage !== undefined)
    errors.say(own`coverage.min is about whole runs of the standard profile: it does not bind this one\n`);
  const journalFile = join(flags.out, 'journal.ndjson');
  let isOpen = false;
  const interrupted = interruption(() => (isOpen ? stoppedText(journalFile) : ''));
  const closing: (() => void)[] = [];
  try {
    closing.push(await claimFolder(flags.out));
    keepUnended(journalFile);
    const journal = openFile(journalFile, '--out', flags.out);
    isOpen = true;
    const asked = choices(flags, environment);
    const terminal = { ...terminalOf(output, environment), ...shownOf(flags, last) };
    const repro = reproFiles(flags.out);
    const record = flags.record === undefined ? undefined : openRecord(flags.record);
    closing.push(() => record?.close());
    const recorder = record === undefined ? undefined : createRecorder(chosen.target);
    const reports = await openReports(asked, terminal, baseline, [journalFile], [flags.record ?? []].flat());
    if (chosen.embedded && asked.some(({ name }) => name === 'terminal')) {
      output.say(
        shown(
          `No --base-url and no --config: testing the embedded reference server at ${chosen.target.baseUrl.origin}\n`,
        ),
      );
    }
    let full: Error | null = null;
    const emit = (event: Shown<RunEvent>): void => {
      try {
        // Write at once and synchronously, so that a run that is killed keeps its journal.
        if (full === null && event.event !== 'progress') journal.write(journalLine(event));
      } catch (error) {
        full = error as Error;
        // Before anything is sent there is nothing to put back; later the run has to end in order.
        if (event.event === 'run-start') throw full;
        interrupted.stop();
      }
      reports.event(event);
      repro.event(event);
      recorder?.event(event);
      bail?.look(event, reports.report);
    };
    const most = flags.bail === true ? 1 : flags.bail;
    const bail = most === undefined ? undefined : bailing(most, baseline);
    const config = {
      target: chosen.target,
      embedded: chosen.embedded,
      selection,
      seed: flags.seed,
      profile: flags.profile,
      requirements: flags.requirements,
      concurrency: flags.concurrency,
      timeoutMs: flags.timeout,
      maxResponseMs: flags.maxResponseTime,
      settleMs: flags.settle,
      rate: flags.rate,
      trace: flags.trace,
      maxRequests: flags.maxRequests,
      timeMs: flags.time === undefined ? undefined : Math.ceil(flags.time),
      readOnly: flags.readOnly ?? false,
      strict: flags.strict ?? false,
      path: flags.path,
      learned,
      config: flags.config,
      journal: journalFile,
      minCoverage,
      bail: most,
      enough: bail?.enough,
      signal: interrupted.signal,
      watch: recorder?.watch,
    };
    await waitForTarget(chosen.target, flags, interrupted.signal);
    await refusing([PathNeedsOneCheck], () => run(config, emit));
    try {
      journal.close();
    } catch (error) {
      full ??= error as Error;
    }
    // Write the reports even if the journal is incomplete: they name what could not be put back.
    const exitCode = await reports.end().catch((error: unknown) => {
      full ??= error as Error;
      return 2;
    });
    if (recorder !== undefined) record?.keep(recorder.recording());
    if (full !== null) throw full;
    attest?.write(reports.report(), journalFile);
    const scripts = repro.write(reports.report());
    const isShown = asked.some(({ name, file }) => name === 'terminal' && file === null);
    if (isShown && scripts.length > 0) output.write(scriptsLine(scripts));
    if (flags.updateCoverage && flags.config !== undefined) {
      const mayLower = flags.minCoverage !== undefined;
      errors.say(shown(`${updateCoverage(flags.config, reports.report(), chosen.minCoverage, mayLower)}\n`));
    }
    return { exitCode, report: reports.report(), target: chosen.target };
  } finally {
    for (const close of closing) close();
    interrupted.done();
    await chosen.close();
  }
}
