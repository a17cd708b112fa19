import { present } from '../../contracts/present.ts';
import type { Baseline, KnownDefect, OlderBaseline } from '../../contracts/report/baseline.ts';
import type { Report } from '../../contracts/report/report.ts';
import { unfinishedBecause } from '../journal/selections.ts';
import { type Changes, entriesText } from './entries.ts';
import { type Defect, defectText, failingDefects, judgeBaseline, keyOf, type ShownDefect } from './verdict.ts';

/** Returns why a run is not complete enough to write a baseline from; null if it is. */
export function partialBecause(report: Report): string | null {
  const { truncated, options } = report;
  if (truncated) return 'its journal was cut off';
  const unfinished = unfinishedBecause(report);
  if (unfinished !== undefined) return `it did not come to its end (${unfinished})`;
  if (options.only.length > 0 || options.skip.length > 0) return 'it was filtered (--only or --skip)';
  if (options.path !== undefined) return 'it replayed one case (--path)';
  if (options.shard) return 'it is a shard of a run (--shard)';
  return null;
}

type Permission = Pick<KnownDefect, 'reason' | 'issue' | 'expires'>;

/** Returns what a user wrote about a whole check in a version 1 baseline, if it applies to this defect. */
function olderPermission(older: OlderBaseline | undefined, defect: Defect): Permission | undefined {
  const own = older?.known.find(
    ({ check, requirements }) =>
      check === `${defect.endpoint}/${defect.check}` && requirements?.includes(defect.requirement) !== false,
  );
  if (!own) return undefined;
  const { reason, issue, expires } = own;
  return { reason, ...present({ issue, expires }) };
}

/**
 * Returns the baseline for a complete run: an entry for each failing defect. Entries that stay keep their reasons,
 * issues and dates; those of a version 1 baseline (`older`) are taken over. New entries get the given reason. Entries
 * that the run did not test stay.
 */
export function updatedBaseline(
  before: Baseline,
  report: Report,
  reason: string,
  older?: OlderBaseline,
): Changes & { readonly baseline: Baseline } {
  const old = new Map(before.known.map(entry => [keyOf(entry), entry]));
  const shown = failingDefects(report);
  const silent = new Set(judgeBaseline(report, before, '').unjudged.map(({ entry }) => entry));
  const entryOf = ({ defect, sometimes }: ShownDefect): KnownDefect => {
    const was = old.get(keyOf(defect));
    const { found = { profile: report.profile, seed: report.seed } } = was ?? {};
    const { reason: why, issue, expires } = was ?? olderPermission(older, defect) ?? { reason };
    // A defect found only by a run with `--time` may be missed by the next run.
    const isRare = sometimes || report.options.timeMs !== undefined;
    return {
      ...defect,
      reason: why,
      ...present({ issue, expires }),
      found,
      ...((was ? was.sometimes : isRare) ? { sometimes: true } : {}),
    };
  };
  const kept = before.known.filter(entry => shown.has(keyOf(entry)) || silent.has(defectText(entry)));
  const isKnown = (defect: Defect) => old.has(keyOf(defect)) || olderPermission(older, defect) !== undefined;
  const known = [...[...shown.values()].map(entryOf), ...kept.filter(entry => !shown.has(keyOf(entry)))];
  const staying = new Set(known.map(keyOf));
  return {
    baseline: { ...before, ...present({ requirements: report.requirementSet?.name }), known },
    added: [...shown.values()].flatMap(({ defect }) => (isKnown(defect) ? [] : [defectText(defect)])),
    kept: known.filter(isKnown).map(defectText),
    removed: before.known.filter(entry => !staying.has(keyOf(entry))).map(defectText),
  };
}

/** Returns a baseline as the text of its file, each entry on one line, so that a stale one is removed as a line. */
export const baselineText = ({ known, ...head }: Baseline): string => entriesText(head, 'known', known);
