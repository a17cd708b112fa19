import type { Report, RequirementReport } from '../../contracts/report/report.ts';
import { type Section, sectionTitles } from '../../contracts/requirements/requirement.ts';
import { grouped } from '../text/grouped.ts';
import type { Cause } from './causes.ts';
import { type Mark, requirementMark } from './marks.ts';
import { type Prose, prose } from './prose.ts';

/** A section of the specification with its requirements, and how many of them have each verdict. */
export interface SectionView {
  readonly anchor: string;
  readonly section: string;
  readonly title: string;
  readonly tally: readonly { readonly mark: Mark; readonly count: number }[];
  readonly rows: readonly RequirementView[];
  /** True if it is unfolded: if a requirement of it failed or warned. */
  readonly open: boolean;
}

/** A requirement and its verdict. */
export interface RequirementView {
  readonly id: string;
  readonly level: string;
  readonly statement: Prose;
  readonly mark: Mark;
  readonly because?: string;
  readonly endpoints: readonly string[];
  /** The place of the page that tells what is wrong with it. */
  readonly href?: string;
}

/** A section of more rows is folded in any case: the causes stand further up. */
const mostOpen = 40;

/** The order of the verdicts within a section. */
const verdictOrder = ['failed', 'warned', 'untested', 'verified', 'not-verifiable', 'open'] as const;

/** Returns the requirements by section, in the order of the specification; in each section what is wrong comes first. */
export function sectionsOf({ requirements }: Report, causes: readonly Cause[]): SectionView[] {
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

function requirementView(row: RequirementReport, href: string | undefined): RequirementView {
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
