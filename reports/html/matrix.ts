import type { Report } from '../../contracts/report/report.ts';
import { checksOf } from '../journal/selections.ts';
import { passedText } from '../text/verdict-text.ts';
import type { Cause } from './causes.ts';
import { mark, wholeMark } from './marks.ts';
import type { UntestedReason } from './untested.ts';

/**
 * Returns the matrix endpoint × check: columns in the order of the plan, and a row for each endpoint with a cell for
 * each check, null if the check does not apply. A cell links to the place of the page that tells more of it.
 */
export function matrixOf(report: Report, causes: readonly Cause[], untested: readonly UntestedReason[]) {
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
