import { grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { Report, RequirementReport, RequirementVerdict } from '../../contracts/report/report.ts';
import { type Section, sectionTitles } from '../../contracts/requirements/requirement.ts';
import { observationsByRequirement } from '../journal/selections.ts';
import type { Cause } from './causes.ts';
import { mark, requirementMark } from './marks.ts';
import { prose } from './prose.ts';
import { remedyText } from './untested.ts';

/**
 * The most requirements of a section that are unfolded (the causes stand further up), the most lines of observations
 * that are, and the most items of a list.
 */
const most = { rows: 40, open: 4, items: 200 } as const;

/** The order of the verdicts within a section. */
const verdictOrder = [
  'failed',
  'warned',
  'untested',
  'verified',
  'not-observed',
  'not-applicable',
  'not-verifiable',
  'open',
] as const satisfies readonly RequirementVerdict[];

/**
 * Returns the requirements by section, in the order of the specification, with the number of each verdict. In each
 * section what is wrong comes first; a section in which a requirement failed or warned is unfolded.
 */
export function sectionsOf({ requirements }: Report, causes: readonly Cause[]) {
  const places = new Map(
    causes.flatMap(({ requirement, alsoBreaks, anchor }) =>
      [requirement, ...alsoBreaks].map(id => [id, `#${anchor}`] as const),
    ),
  );
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
      open: rows.length <= most.rows && rows.some(({ verdict }) => verdict === 'failed' || verdict === 'warned'),
    }));
}

/** A requirement and its verdict; `href` leads to the cause, if it is broken. */
function requirementView(row: RequirementReport, href: string | undefined) {
  const { id, level, statement, verdict, because, remedy, checks } = row;
  return {
    id,
    level,
    statement: prose(statement),
    mark: requirementMark(verdict),
    ...present({ because }),
    ...(remedy === undefined ? {} : { remedy: remedyText(remedy) }),
    endpoints: [...new Set(checks.map(check => check.split('/')[0] ?? check))],
    ...present({ href }),
  };
}

/** Returns the observations by requirement, as the page shows them; short ones are unfolded. */
export function observationsOf(report: Report) {
  return observationsByRequirement(report).map(({ requirement, row, endpoints, seen }) => ({
    mark: mark('open'),
    requirement,
    section: row?.section ?? '',
    statement: prose(row?.statement ?? ''),
    endpoints,
    open: seen.length <= most.open,
    seen,
  }));
}

/** Returns what the run left on the target and the API cannot remove, by endpoint, kind and what became of it. */
export function leftBehindOf({ leftBehind }: Report) {
  return foldedLists(
    leftBehind.map(({ kind, what, endpoint, id, count = 1, perhaps = 0, send }) => {
      const times = count === 1 ? '' : ` × ${count}`;
      const more = perhaps === 0 ? '' : ` (perhaps ${perhaps} more, whose answers got lost)`;
      return {
        title: `${kind}: ${what}`,
        detail: endpoint,
        item: `${id}${times}${more}${send === undefined ? '' : `; to send: ${send}`}`,
      };
    }),
  );
}

/** Returns the names that answers of the target taught, by kind and by the answer that showed them. */
export function learnedOf({ learned = [] }: Report) {
  return foldedLists(
    learned.map(({ kind, value, origin, heldBy, refusedBy }) => ({
      title: `${kind}, from ${origin}`,
      detail: [
        ...(heldBy === undefined ? [] : [`sent back to ${heldBy} only`]),
        ...(refusedBy === undefined ? [] : [`refused (${refusedBy.join(', ')}) and not sent again`]),
      ].join('; '),
      item: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  );
}

/** Returns the fields that were not sent, by reason. */
export function notExercisedOf({ endpoints }: Report) {
  return foldedLists(
    endpoints.flatMap(({ id, checks }) =>
      checks
        .flatMap(check => check.notExercised)
        .map(({ because, remedy, field }) => ({
          title: because,
          detail: remedy === undefined ? '' : remedyText(remedy),
          item: `${id} ${field}`,
        })),
    ),
  );
}

/** Things of one kind in one list; `more` counts those that are not listed. */
function foldedLists(things: readonly { readonly title: string; readonly detail: string; readonly item: string }[]) {
  const groups = grouped(things, ({ title, detail }) => JSON.stringify([title, detail]));
  return [...groups.values()].map(group => {
    const items = [...new Set(group.map(({ item }) => item))];
    const { title = '', detail = '' } = group[0] ?? {};
    return { title, detail, items: items.slice(0, most.items), more: Math.max(0, items.length - most.items) };
  });
}
