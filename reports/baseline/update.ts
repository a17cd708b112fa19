import type { Baseline, KnownFailure } from '../../contracts/report/baseline.ts';
import type { Report } from '../../contracts/report/report.ts';
import { checksOf, failingRequirements } from '../journal/selections.ts';

/** A baseline written anew from a run, and the checks whose entries were added, kept and removed. */
export interface BaselineUpdate {
  readonly baseline: Baseline;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/** Returns why a run is not complete enough to write a baseline from; null if it is. */
export function partialBecause({ outcome, truncated, options }: Report): string | null {
  if (truncated) return 'its journal was cut off';
  if (outcome !== 'complete') return `it did not come to its end (${outcome})`;
  if (options.only.length > 0 || options.skip.length > 0) return 'it was filtered (--only or --skip)';
  if (options.path !== undefined) return 'it replayed one case (--path)';
  if (options.shard !== undefined) return 'it is a shard of a run (--shard)';
  return null;
}

/**
 * Returns the baseline for a complete run: an entry for each failing check, with the requirements it breaks. Reasons,
 * issues and dates of entries that stay are kept; new entries get the given reason.
 */
export function updatedBaseline(before: Baseline, report: Report, reason: string): BaselineUpdate {
  const old = new Map(before.known.map(entry => [entry.check, entry]));
  const failing = checksOf(report).filter(({ verdict }) => verdict === 'fail');
  const known = failing.map((check): KnownFailure => {
    const { expires, issue, ...was } = old.get(check.id) ?? { check: check.id, reason };
    return {
      check: check.id,
      reason: was.reason,
      ...(issue === undefined ? {} : { issue }),
      ...(expires === undefined ? {} : { expires }),
      requirements: failingRequirements(check, report),
    };
  });
  const ids = new Set(known.map(({ check }) => check));
  return {
    baseline: { ...before, known },
    added: [...ids].filter(id => !old.has(id)),
    kept: [...ids].filter(id => old.has(id)),
    removed: [...old.keys()].filter(id => !ids.has(id)),
  };
}

/**
 * Returns a baseline as the text of its file, with each entry on one line: the line to remove when the entry is stale.
 */
export function baselineText({ known, ...head }: Baseline): string {
  const entries = known.map(entry => `    ${JSON.stringify(entry)}`).join(',\n');
  const members = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const list = known.length === 0 ? '  "known": []' : `  "known": [\n${entries}\n  ]`;
  return `{\n${[...members, list].join(',\n')}\n}\n`;
}
