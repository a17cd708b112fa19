import type { Report } from '../../contracts/report/report.ts';
import { passedOf } from '../passed.ts';
import type { Cause } from './causes.ts';
import type { Gap } from './gaps.ts';
import { type Mark, mark, wholeMark } from './marks.ts';

/** The matrix endpoint × check. */
export interface Matrix {
  /** The names of the checks, in the order of the plan, with what each is about. */
  readonly columns: readonly { readonly check: string; readonly title: string }[];
  readonly rows: readonly MatrixRow[];
}

/** An endpoint with its verdict and a cell for each check: null where the check does not apply to it. */
export interface MatrixRow {
  readonly endpoint: string;
  readonly title: string;
  readonly verdict: Mark;
  readonly passed: string;
  readonly cells: readonly (Cell | null)[];
}

/** A check of an endpoint, and where the page tells more of it. */
export interface Cell {
  readonly id: string;
  readonly mark: Mark;
  readonly href?: string;
}

/** Every check of every endpoint in a table. */
export function matrixOf(report: Report, causes: readonly Cause[], gaps: readonly Gap[]): Matrix {
  const titles = new Map<string, string>();
  for (const { checks } of report.endpoints)
    for (const { check, title } of checks) if (!titles.has(check)) titles.set(check, title);
  const places = placesOf(causes, gaps);
  return {
    columns: [...titles].map(([check, title]) => ({ check, title })),
    rows: report.endpoints.map(({ id, title, verdict, checks }) => {
      const own = new Map(checks.map(check => [check.check, check]));
      const { passed, applicable } = passedOf(checks);
      return {
        endpoint: id,
        title,
        verdict: wholeMark(verdict),
        passed: `${passed} of ${applicable}`,
        cells: [...titles.keys()].map(name => {
          const check = own.get(name);
          if (!check) return null;
          const href = check.verdict === 'error' ? '#faults' : places.get(check.id);
          return { id: check.id, mark: mark(check.verdict), ...(href === undefined ? {} : { href }) };
        }),
      };
    }),
  };
}

/** Where the page tells of a check: its first finding, or the reason why it was not tested. */
function placesOf(causes: readonly Cause[], gaps: readonly Gap[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const put = (check: string, anchor: string) => {
    if (!places.has(check)) places.set(check, `#${anchor}`);
  };
  for (const { findings } of causes) for (const { check, anchor } of findings) put(check, anchor);
  for (const { anchor, checks } of gaps) for (const check of checks) put(check, anchor);
  return places;
}
