import type { RunEvent } from '../../contracts/report/journal.ts';
import { compareRuns, type RunComparison } from '../compare/compare.ts';
import { examples } from './examples.ts';
import { wrongType } from './findings.ts';
import { everything, hostileRun } from './hostile.ts';
import { reportOf, run } from './runs.ts';

/** A comparison of runs, given with the names of their files. */
export function compared(...runs: readonly (readonly [name: string, events: readonly RunEvent[]])[]): RunComparison {
  return compareRuns(runs.map(([name, events]) => ({ name, report: reportOf(events) })));
}

/** Comparisons of every kind, by name. In `mixed` some is better, some worse, some observed differently. */
export const comparisons = {
  mixed: compared(
    ['a/report.json', examples.failing],
    ['b/report.json', examples.untested],
    ['c/report.json', run({ 'list-events/envelope': ['fail', { findings: [wrongType] }] })],
  ),
  hostile: compared([everything, run({}, {}, ['patch-gate'])], [everything, hostileRun]),
  empty: compared(['a/report.json', examples.empty], ['b/report.json', examples.empty]),
  same: compared(['a/report.json', examples.green], ['b/report.json', examples.green]),
} as const;
