import { compact, present } from '../../contracts/present.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { Clause, Entry } from '../document/document.ts';
import { mark } from '../document/marks.ts';
import { type Cause, causesWithFindings } from '../journal/causes.ts';
import { causeReason } from '../journal/known.ts';
import { cameOf } from '../text/finding-text.ts';
import { counted } from '../text/page.ts';
import { endpointsText } from '../text/verdict-text.ts';
import { itemOf } from './evidence.ts';

/** The requirement of the first finding, with section and level, and why it is not scored where it is not. */
function clauseOf({ requirements, requirementSet }: Report, { findings: [{ finding }] }: Cause): Clause {
  const { requirement: id, level, notScored } = finding;
  const row = requirements.find(one => one.id === id);
  const since = notScored === 'added' ? ` since ${requirementSet?.name}` : '';
  return {
    id,
    about: compact([
      row !== undefined && `section ${row.section}`,
      level,
      notScored !== undefined && `not scored: ${notScored}${since}`,
    ]).join(', '),
    statement: row?.statement ?? '',
  };
}

/** What the checks are called that could not be tested because of a cause. */
export const blocks = 'Blocks';

/** Where a cause shows: its endpoints, its checks, how often. */
function placeOf({ endpoints, findings, kind }: Cause, more: number): string {
  const checks = [...new Set(findings.map(({ check }) => check.check))];
  const names =
    endpoints.length > 4
      ? `${endpoints.length} endpoints: ${endpoints.slice(0, 2).join(', ')}, …`
      : endpointsText(endpoints);
  const found = checks.length > 3 ? counted(checks.length, 'check') : checks.join(', ');
  const count = findings.length + more;
  const times = count === 1 ? '' : `${counted(count, kind === 'fail' ? 'failure' : 'warning')} at `;
  return `${times}${names}, found by ${found}`;
}

/** Returns a cause as an entry: it counts unless the baseline knows it. */
export function causeEntry(report: Report, cause: Cause): Entry {
  const { id, kind, title, side, requirements, endpoints, findings, blocked } = cause;
  const known = causeReason(cause, report);
  const clause = clauseOf(report, cause);
  const checks = new Map(findings.map(({ check }) => [check.id, check]));
  // How many further findings there are that not even `report.json` lists.
  const more = [...checks.values()].reduce((sum, { moreFindings = 0 }) => sum + moreFindings, 0);
  const also = requirements.filter(one => one !== clause.id);
  const tagsOf = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [{ title: name, items: items.map(text => ({ text })) }];
  return {
    anchor: id,
    id,
    mark: mark(kind),
    counts: known === undefined,
    title,
    brief: cameOf(findings[0].finding),
    place: placeOf(cause, more),
    ...present({ label: side, known }),
    clauses: [clause],
    endpoints,
    items: findings.map((one, index) => itemOf(one, `${id}-${index + 1}`, title)),
    more,
    tags: [...tagsOf('Also breaks', also), ...tagsOf(blocks, blocked)],
  };
}

/** Returns the causes of failures and of warnings, in the order in which to mend them. */
export const causeEntries = (report: Report): Entry[] =>
  causesWithFindings(report).map(cause => causeEntry(report, cause));
