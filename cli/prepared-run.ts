import { own } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { setNamed, setNames } from '../contracts/requirements/sets.ts';
import { judgeBaseline } from '../reports/baseline/verdict.ts';
import { causesWithFindings } from '../reports/journal/causes.ts';
import { failedChecks } from '../reports/journal/known.ts';
import { checksWith } from '../reports/journal/selections.ts';
import { counted } from '../reports/text/page.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { select } from '../suites/engine/plan.ts';
import { attesting } from './attestation-file.ts';
import { type BaselineFile, readBaseline, today } from './baseline-file.ts';
import type { RunFlags } from './definitions/target.ts';
import { refusingFilters } from './filter-suggestion.ts';
import { refuse } from './input.ts';
import { withCoverageMin } from './json-edit.ts';
import { readLearned } from './report-file.ts';
import { chooseTarget, recordedTarget, tellAddress } from './target.ts';
import { editFile, errors, tell } from './writer.ts';

/**
 * Watches a run until it has the given number of causes of failures. Findings of one defect count once; those that the
 * baseline knows do not count.
 */
function bailing(most: number, baseline: BaselineFile | null) {
  let found = 0;
  return {
    /** Looks at an emitted event; `report` returns the report so far. */
    look(event: RunEvent, report: () => Report): void {
      if (found >= most || event.event !== 'check-end' || event.findings.length === 0) return;
      const now = report();
      const fresh = baseline && new Set(judgeBaseline(now, baseline.baseline, today()).fresh);
      found = causesWithFindings(now).filter(
        ({ kind, findings }) => kind === 'fail' && (!fresh || findings.some(({ name }) => fresh.has(name))),
      ).length;
    },
    /** Returns the reason to end the run, or null. */
    enough: (): string | null => (found >= most ? `the run was to end after ${counted(most, 'cause')} (--bail)` : null),
  };
}

/** Flags of runs that cannot be repeated as they were. */
const unrepeatable = ['path', 'time', 'shard', 'bail', 'failed'] as const;

/** Throws a `UsageError` for flags that cannot go together. */
function checkSelectionFlags(flags: RunFlags): void {
  const { failed, bail, path, updateCoverage } = flags;
  const other = unrepeatable.find(name => flags[name] !== undefined);
  if (flags.record !== undefined && other)
    refuse(`--record cannot go with --${other}: diff could not repeat such a run`);
  if (path !== undefined && flags.time !== undefined)
    refuse('--path replays one case, and --time looks for more: give one of them');
  if (failed && path !== undefined)
    refuse('--path replays one case, and --failed every check that failed: give one of them');
  if (bail !== undefined && updateCoverage)
    refuse('--update-coverage writes what a whole run reaches, and --bail may end it before: give one');
  checkCoverageFlags(flags);
}

/** The context of a run besides its flags. */
export interface RunContext {
  /** The previous run: reports show what changed since, and its failed checks go first. */
  readonly last?: Report | undefined;
  /** The property names of the flags that were given; the others have their defaults. */
  readonly given: ReadonlySet<string>;
}

/** Returns the flags of a run that repeats the last failures, with all that decided the requests. */
function flagsOfFailed(flags: RunFlags, last: Report, given: RunContext['given']) {
  const units = new Set(refusingFilters(() => select({ only: flags.only, skip: flags.skip })).map(({ id }) => id));
  // A run that lost its target, or a part of one that ended early, says nothing of what it did not come to, such as what
  // had failed before it.
  const isGone = last.outcome === 'unreachable';
  const isCut = last.options.only.length > 0 && last.because !== undefined;
  const untested = isGone || isCut ? checksWith(last, 'untested') : [];
  const failed = [...failedChecks(last), ...untested].filter(id => units.has(id));
  if (failed.length === 0)
    refuse('nothing of what was asked for failed in the last run; leave out --failed to run everything');
  const { seed, profile, options } = last;
  const chosen = {
    ...flags,
    ...recordedTarget(last, `the last run under ${flags.out}`, flags),
    only: failed,
    skip: [],
    seed: given.has('seed') ? flags.seed : seed,
    profile: given.has('profile') ? flags.profile : profile,
    readOnly: flags.readOnly || options.readOnly,
    strict: flags.strict || options.strict,
  };
  const what = `${counted(failed.length, 'check')} of the run of ${safeText(last.startedAt, 40)}`;
  const named =
    untested.length === 0
      ? 'what failed last'
      : `what failed last, or was not tested because ${isGone ? 'the target was gone' : 'the run ended before'}`;
  tell(`Only ${named}: ${what}, seed ${chosen.seed}, profile ${chosen.profile}.\n`);
  return chosen;
}

/**
 * Checks the flags of a run, reads its files and returns what the run needs. Throws a `UsageError` for a mistake in a
 * flag, a file or a filter.
 */
export async function preparedRun(asked: RunFlags, context: RunContext) {
  checkSelectionFlags(asked);
  const { last, given } = context;
  const repeated = asked.failed && last ? flagsOfFailed(asked, last, given) : undefined;
  const flags = repeated ?? asked;
  const { only, skip, shard } = flags;
  const selection = {
    only,
    skip,
    shard,
    first: !last ? [] : failedChecks(last),
  };
  refusingFilters(() => select(selection));
  const set = flags.requirements;
  if (set !== undefined && !setNamed(set))
    refuse(`--requirements ${set}: there is no set of that name; there are ${setNames.join(', ')}`);
  const attest = attesting(flags);
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const learned = flags.learned === undefined ? repeated && last?.learned : readLearned(flags.learned);
  const chosen = await chooseTarget(flags);
  if (repeated) tellAddress(chosen, repeated);
  const minCoverage = minCoverageOf(flags, chosen.minCoverage);
  if (minCoverage === undefined && chosen.minCoverage !== undefined)
    errors.say(own`coverage.min is about whole runs of the standard profile: it does not bind this one\n`);
  const bailAt = flags.bail === true ? 1 : flags.bail;
  const bail = bailAt === undefined ? undefined : bailing(bailAt, baseline);
  return { flags, last, selection, attest, baseline, learned, chosen, minCoverage, bailAt, bail };
}

const isFiltered = ({ only, skip, path, failed }: RunFlags) =>
  only.length > 0 || skip.length > 0 || path !== undefined || failed;

/** Throws a `UsageError` for coverage flags on a run without coverage, or with none that the target file can hold. */
export function checkCoverageFlags(flags: RunFlags): void {
  const { minCoverage, updateCoverage, config, profile, readOnly, shard } = flags;
  if (isFiltered(flags) && (minCoverage !== undefined || updateCoverage)) {
    const flag = updateCoverage ? '--update-coverage' : '--min-coverage';
    refuse(`${flag} is about a whole run, and --only, --skip, --failed and --path send a part of one`);
  }
  if (!updateCoverage) return;
  if (config === undefined) refuse('--update-coverage writes into the target file: name it with --config');
  if (profile !== 'standard' || readOnly || shard)
    refuse(
      '--update-coverage writes what a whole run of the standard profile reaches: leave out --profile, --read-only and --shard',
    );
}

/**
 * Returns the minimum coverage of a run: that of the flag, or else `coverage.min` of the target file. The latter
 * applies only to whole runs of the standard profile that may write.
 */
export function minCoverageOf(flags: RunFlags, ofFile: number | undefined): number | undefined {
  if (flags.minCoverage !== undefined) return flags.minCoverage;
  const isMeant = !isFiltered(flags) && flags.profile === 'standard' && !flags.readOnly;
  return isMeant ? ofFile : undefined;
}

/** Updates `coverage.min` in the target file, to a lower value only if `mayLower`. Returns a line that says so. */
export function updateCoverage(file: string, report: Report, ofFile: number | undefined, mayLower: boolean): string {
  const reached = report.coverage?.percent;
  if (reached === undefined || report.outcome !== 'complete')
    return `coverage.min of ${file} stays as it is: the run did not come to its end`;
  const stated = ofFile ?? 0;
  if (ofFile === reached) return `coverage.min of ${file} stays ${ofFile}`;
  if (reached < stated && !mayLower)
    return `coverage.min of ${file} stays ${stated}: this run reached ${reached}; to lower it, give --min-coverage too`;
  editFile(file, text => withCoverageMin(text, reached));
  return `coverage.min of ${file} is now ${reached}`;
}
