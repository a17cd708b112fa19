import type { EndpointId } from '../../contracts/endpoints.ts';
import { coveragePercent } from '../../contracts/report/verdict.ts';
import { allCells, type Cell, relationOf } from '../ledger/cells.ts';
import { hinderedBy } from '../ledger/reasons.ts';
import type { Target } from '../protocol/sut.ts';
import type { Diagnostic } from './fixture-examination.ts';

const weightOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + Math.round(10 * relationOf(cell).weight), 0);

const digits = (count: number): string => count.toLocaleString('en');

/**
 * The coverage that a run can come to at most: the part of the cells of the ledger that neither a missing name or fixture
 * nor possible harm keeps from being tried. What answers do not show, what the target refuses and what a profile leaves
 * out is seen by a run alone.
 * @param provable the endpoints that a run can judge
 */
export function coverageForecast(target: Target, provable: readonly EndpointId[]): Diagnostic {
  const counted = allCells(target.fixtures).filter(cell => hinderedBy(cell, target)?.reason !== 'capability');
  const within = counted.filter(cell => provable.includes(cell.endpoint) && hinderedBy(cell, target) === undefined);
  const percent = coveragePercent(weightOf(within), weightOf(counted));
  const text = `a run can reach a coverage of ${percent} % at most (${digits(within.length)} of ${digits(counted.length)} cells); a run will tell what the target refuses or never shows`;
  return { area: 'coverage', state: 'note', text };
}
