import type { Report } from '../../contracts/report/report.ts';
import { checksOf } from '../journal/findings.ts';
import { passedText } from '../text/verdict-text.ts';
import type { Cause } from './causes.ts';
import { type Mark, mark, wholeMark } from './marks.ts';
import type { UntestedReason } from './untested.ts';

/** The matrix endpoint × check. */
export interface Matrix {
  /** The names of the checks, in the order of the plan, with what each is about. */
  readonly columns: readonly { readonly check: string; readonly title: string }[];
  readonly rows: readonly MatrixRow[];
}

/** An endpoint with its verdict and a cell for each check: null if the check does not apply to it. */
export interface MatrixRow {
  readonly endpoint: string;
  readonly verdict: Mark;
  readonly passed: string;
  readonly cells: readonly (MatrixCell | null)[];
}

/** A check of an endpoint, and the place of the page that tells more of it. */
export interface MatrixCell {
  readonly id: string;
  readonly mark: Mark;
  readonly href?: string;
}

/** Returns every check of every endpoint in a table. */
export function matrixOf(report: Report, causes: readonly Cause[], untested: readonly UntestedReason[]): Matrix {
  const titles = new Map(checksOf(report).map(({ check, title }) => [check, title]));
  const links = linksOf(causes, untested);
  return {
    columns: [...titles].map(([check, title]) => ({ check, title })),
    rows: report.endpoints.map(({ id, verdict, checks }) => ({
      endpoint: id,
      verdict: wholeMark(verdict),
      passed: passedText(checks),
      cells: [...titles.keys()].map(name => {
        const check = checks.find(one => one.check === name);
        if (!check) return null;
        const href = check.verdict === 'error' ? '#faults' : links.get(check.id);
        return { id: check.id, mark: mark(check.verdict), ...(href === undefined ? {} : { href }) };
      }),
    })),
  };
}

/** The links from checks to their first finding, or to the reason why they were not tested. */
function linksOf(causes: readonly Cause[], untested: readonly UntestedReason[]): ReadonlyMap<string, string> {
  const places = [
    ...causes.flatMap(({ findings }) => findings.map(({ check, anchor }) => [check, anchor] as const)),
    ...untested.flatMap(({ anchor, checks }) => checks.map(check => [check, anchor] as const)),
  ];
  // Of several places for one check the first counts.
  return new Map(places.toReversed().map(([check, anchor]) => [check, `#${anchor}`]));
}
