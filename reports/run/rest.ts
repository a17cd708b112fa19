import { grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { Report, RequirementReport, RequirementVerdict } from '../../contracts/report/report.ts';
import { type Section, sectionTitles } from '../../contracts/requirements/requirement.ts';
import type { Entry, Group, Row } from '../document/document.ts';
import { mark, requirementMark } from '../document/marks.ts';
import { endpointIn } from '../journal/selections.ts';
import { endpointsText } from '../text/verdict-text.ts';
import { remedyText } from './untested.ts';

/** Maximum requirements of an unfolded section: the causes are further up. */
const mostRows = 40;

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
 * section failures come first; a section with a failed or warned requirement is unfolded.
 */
export function requirementGroups({ requirements, causes = [] }: Report): Group[] {
  const places = new Map(
    causes.toReversed().flatMap(({ id, requirements: own }) => own.map(one => [one, id] as const)),
  );
  return [...grouped(requirements, ({ section }) => section)]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([section, rows]) => ({
      anchor: `section-${section}`,
      title: `${section} ${Object.hasOwn(sectionTitles, section) ? sectionTitles[section as Section] : ''}`.trim(),
      tally: verdictOrder.flatMap(verdict => {
        const count = rows.filter(row => row.verdict === verdict).length;
        return count > 0 ? [{ mark: requirementMark(verdict), count }] : [];
      }),
      rows: rows
        .toSorted((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict))
        .map(row => requirementRow(row, places.get(row.id))),
      isOpen: rows.length <= mostRows && rows.some(({ verdict }) => verdict === 'failed' || verdict === 'warned'),
    }));
}

/** Returns a requirement and its verdict, with a link to its cause if it is broken. */
function requirementRow(row: RequirementReport, cause: string | undefined): Row {
  const { id, level, statement, verdict, because, remedy, checks } = row;
  const own = requirementMark(verdict);
  return {
    mark: own,
    name: id,
    text: statement,
    about: [`${level}, ${own.word}${because === undefined ? '' : `: ${because}`}`],
    endpoints: [...new Set(checks.map(endpointIn))],
    remedy: remedy && remedyText(remedy),
    href: cause && `#${cause}`,
  };
}

/**
 * Returns the target's behaviour where the specification is open, by requirement. Endpoints that behave alike share an
 * item.
 */
export function observationEntries({ observations, requirements }: Report): Entry[] {
  const endpointsOf = (some: Report['observations']) => [...new Set(some.flatMap(({ endpoint }) => endpoint ?? []))];
  return [...grouped(observations, ({ requirement }) => requirement)].map(([requirement, own], index) => {
    const row = requirements.find(({ id }) => id === requirement);
    return {
      anchor: `observed-${index + 1}`,
      mark: mark('open'),
      counts: true,
      title: row?.statement ?? requirement,
      clauses: [{ id: requirement, about: row ? `section ${row.section}` : '', statement: '' }],
      endpoints: endpointsOf(own),
      items: [...grouped(own, ({ subject, value }) => `${subject}: ${value}`)].map(([where, same]) => ({
        where,
        note: endpointsText(endpointsOf(same)),
        pairs: [],
        steps: [],
      })),
    };
  });
}

/** Returns the entities left on the target that the API cannot remove, by endpoint, kind and outcome. */
export const leftBehindGroups = ({ leftBehind }: Report): Group[] =>
  foldedLists(
    leftBehind.map(({ kind, what, endpoint, id, count = 1, perhaps = 0 }) => {
      const times = count === 1 ? '' : ` × ${count}`;
      const more = perhaps === 0 ? '' : ` (perhaps ${perhaps} more, whose answers got lost)`;
      return { title: `${kind}: ${what}`, detail: endpoint, item: `${id}${times}${more}` };
    }),
  );

/** Returns the names learned from answers of the target, by kind and by the answer that showed them. */
export const learnedGroups = ({ learned = [] }: Report): Group[] =>
  foldedLists(
    learned.map(({ kind, value, origin, heldBy, refusedBy }) => ({
      title: `${kind}, from ${origin}`,
      detail: compact([
        heldBy !== undefined && `sent back to ${heldBy} only`,
        refusedBy && `refused (${refusedBy.join(', ')}) and not sent again`,
      ]).join('; '),
      item: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  );

/** Returns the fields that were not sent, by reason. */
export const notExercisedGroups = ({ endpoints }: Report): Group[] =>
  foldedLists(
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

/** Returns entries grouped into one list for each kind. */
function foldedLists(
  things: readonly { readonly title: string; readonly detail: string; readonly item: string }[],
): Group[] {
  const groups = grouped(things, ({ title, detail }) => JSON.stringify([title, detail]));
  return [...groups.values()].map(group => {
    const { title = '', detail = '' } = group[0] ?? {};
    return { title, detail, items: [...new Set(group.map(({ item }) => item))] };
  });
}
