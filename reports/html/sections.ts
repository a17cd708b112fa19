import type { Report, RequirementReport } from '../../contracts/report/report.ts';
import { type Section, sectionTitles } from '../../contracts/requirements/requirement.ts';
import { grouped } from '../text/grouped.ts';
import type { Cause } from './causes.ts';
import { requirementMark } from './marks.ts';
import { prose } from './prose.ts';

/** A section of more rows is folded in any case: the causes stand further up. */
const mostOpen = 40;

/** The order of the verdicts within a section. */
const verdictOrder = ['failed', 'warned', 'untested', 'verified', 'not-verifiable', 'open'] as const;

/**
 * Returns the requirements by section, in the order of the specification, with the number of each verdict. In each
 * section what is wrong comes first; a section in which a requirement failed or warned is unfolded.
 */
export function sectionsOf({ requirements }: Report, causes: readonly Cause[]) {
  const places = new Map(causes.map(({ requirement, anchor }) => [requirement, `#${anchor}`]));
  return [...grouped(requirements, ({ section }) => section)]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([section, rows]) => ({
      anchor: `section-${section}`,
      section,
      title: Object.hasOwn(sectionTitles, section) ? sectionTitles[section as Section] : '',
      tally: verdictOrder.flatMap(verdict => {
        const count = rows.filter(row => row.verdict === verdict).length;
        return count > 0 ? [{ mark: requirementMark(verdict), count }] : [];
      }),
      rows: rows
        .toSorted((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict))
        .map(row => requirementView(row, places.get(row.id))),
      open: rows.length <= mostOpen && rows.some(({ verdict }) => verdict === 'failed' || verdict === 'warned'),
    }));
}

/** A requirement and its verdict; `href` leads to the cause, if it is broken. */
function requirementView(row: RequirementReport, href: string | undefined) {
  const { id, level, statement, verdict, because, checks } = row;
  return {
    id,
    level,
    statement: prose(statement),
    mark: requirementMark(verdict),
    ...(because === undefined ? {} : { because }),
    endpoints: [...new Set(checks.map(check => check.split('/')[0] ?? check))],
    ...(href === undefined ? {} : { href }),
  };
}
