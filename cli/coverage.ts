import type { Report } from '../contracts/report/report.ts';
import type { RunFlags } from './definitions/target.ts';
import { UsageError } from './input.ts';
import { withCoverageMin } from './json-edit.ts';
import { editFile } from './writer.ts';

/** The flags of `run` that bear on coverage. */
export type CoverageFlags = Pick<
  RunFlags,
  'minCoverage' | 'updateCoverage' | 'config' | 'profile' | 'only' | 'skip' | 'path' | 'failed' | 'readOnly' | 'shard'
>;

const isFiltered = ({ only, skip, path, failed }: CoverageFlags): boolean =>
  only.length > 0 || skip.length > 0 || path !== undefined || failed === true;

/** Throws a `UsageError` for flags that ask for the coverage of a run that has none, or that the file is not about. */
export function checkCoverageFlags(flags: CoverageFlags): void {
  const { minCoverage, updateCoverage, config, profile, readOnly, shard } = flags;
  if (isFiltered(flags) && (minCoverage !== undefined || updateCoverage)) {
    const flag = updateCoverage ? '--update-coverage' : '--min-coverage';
    throw new UsageError(`${flag} is about a whole run, and --only, --skip, --failed and --path send a part of one`);
  }
  if (!updateCoverage) return;
  if (config === undefined)
    throw new UsageError('--update-coverage writes into the target file: name it with --config');
  if (profile !== 'standard' || readOnly || shard !== undefined)
    throw new UsageError(
      '--update-coverage writes what a whole run of the standard profile reaches: leave out --profile, --read-only and --shard',
    );
}

/**
 * The least coverage of a run: that of the flag, or else `coverage.min` of the target file, which is about whole runs
 * of the standard profile that may write.
 */
export function minCoverageOf(flags: CoverageFlags, ofFile: number | undefined): number | undefined {
  if (flags.minCoverage !== undefined) return flags.minCoverage;
  const isMeant = !isFiltered(flags) && flags.profile === 'standard' && !flags.readOnly;
  return isMeant ? ofFile : undefined;
}

/** What a run that ended has to say of the target file's `coverage.min`, after writing it where it rose. */
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
