import { alike, distinct, grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { Verdict } from '../../contracts/report/journal.ts';
import type {
  CheckReport,
  EndpointVerdict,
  Report,
  RequirementReport,
  RequirementVerdict,
} from '../../contracts/report/report.ts';
import { type Section, sectionTitles } from '../../contracts/requirements/requirement.ts';
import type { Cell, Entry, Group, Part, Row, Table } from '../document/document.ts';
import { legend, mark, requirementMark, wholeMark } from '../document/marks.ts';
import { checksOf, endpointIn } from '../journal/selections.ts';
import { tally } from '../text/page.ts';
import { endpointsText, passedText, statusesText } from '../text/verdict-text.ts';
import { remedyText, type UntestedReason } from './untested.ts';

/** Returns the verdicts of the checks of an endpoint other than a pass, the worst first. */
function countsText(checks: readonly CheckReport[]): string {
  const of = (verdict: Verdict) => checks.filter(check => check.verdict === verdict).length;
  return tally({ failed: of('fail'), 'in error': of('error'), untested: of('untested'), warned: of('warn') });
}

/** Returns the endpoints in figures; for judged traffic only those that it uses. */
export function endpointPart({ endpoints, traffic }: Report): Part {
  const isUsed = (verdict: EndpointVerdict) => !traffic || verdict !== 'not-applicable';
  return {
    id: 'endpoints',
    title: 'Endpoints',
    formats: ['terminal', 'comment'],
    isHead: true,
    ...(traffic ? {} : { empty: 'No endpoint was tested: the run planned no check.' }),
    table: {
      columns: [
        { name: 'Verdict' },
        { name: 'Endpoint' },
        { name: 'Passed', kind: 'number' },
        { name: 'Requests', kind: 'number' },
        { name: 'Time', kind: 'minor' },
        { name: '', kind: 'text' },
      ],
      rows: endpoints
        .filter(({ verdict }) => isUsed(verdict))
        .map(({ id, verdict, checks, stats }) => ({
          cells: [
            { mark: wholeMark(verdict) },
            { text: id },
            { text: passedText(checks, '/') },
            { text: stats.requests.toLocaleString('en') },
            { text: `${(stats.durationMs / 1000).toFixed(2)} s` },
            { text: countsText(checks) },
          ],
        })),
    },
  };
}

/** Returns the matrix of endpoints and checks. A cell links to the place of the page with its details. */
export function matrixPart(report: Report, causes: readonly Entry[], untested: readonly UntestedReason[]): Part {
  const titles = new Map(checksOf(report).map(({ check, title }) => [check, title]));
  const places = [
    ...causes.flatMap(({ items }) =>
      items.map(({ where, anchor = '' }) => [where.replace(/#\d+$/, ''), anchor] as const),
    ),
    ...untested.flatMap(({ anchor, checks }) => checks.map(check => [check, anchor] as const)),
  ];
  // If a check has several places, the first counts.
  const links = new Map(places.toReversed());
  const cellOf = (check: CheckReport | undefined): Cell => {
    if (!check) return { title: 'does not apply' };
    const own = mark(check.verdict);
    const anchor = check.verdict === 'error' ? 'faults' : links.get(check.id);
    return { mark: own, title: `${check.id}: ${own.word}`, href: anchor && `#${anchor}` };
  };
  const columns: Table['columns'] = [
    { name: 'Endpoint' },
    { name: 'Passed', kind: 'minor' },
    ...[...titles].map(([name, title]) => ({ name, title, kind: 'turned' as const })),
  ];
  return {
    id: 'matrix',
    title: 'Endpoints and checks',
    formats: ['page'],
    isHead: true,
    empty: 'No endpoint was tested: the run planned no check.',
    table: {
      legend,
      cue: 'Scroll sideways for all checks →',
      about:
        'A sign that is a link leads to what was found, or to the reason why nothing could be. An empty place: the check does not apply to the endpoint.',
      columns,
      rows: report.endpoints.map(({ id, verdict, checks }) => ({
        cells: [
          { mark: wholeMark(verdict), text: id },
          { text: passedText(checks) },
          ...[...titles.keys()].map(name => cellOf(checks.find(one => one.check === name))),
        ],
      })),
    },
  };
}

/** Returns both sides of judged traffic, and its use of each operation. */
export function trafficParts({ traffic }: Report): Part[] {
  if (!traffic) return [];
  return [
    {
      id: 'traffic',
      title: 'Both sides of the traffic',
      formats: ['page', 'comment'],
      isHead: true,
      rows: (['server', 'client'] as const).map(side => {
        const own = wholeMark(traffic.sides[side]);
        return { mark: own, name: `The ${side}`, text: own.word };
      }),
      table: {
        columns: [
          { name: 'Operation' },
          { name: 'Requests', kind: 'number' },
          { name: 'Answers', kind: 'text' },
          { name: 'Fields never sent', kind: 'text' },
        ],
        rows: traffic.operations.map(one => ({
          cells: [
            { text: one.endpoint },
            { text: one.requests.toLocaleString('en') },
            { text: statusesText(one) },
            { text: one.neverSent.join(', ') },
          ],
        })),
      },
    },
  ];
}

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
    endpoints: distinct(checks.map(endpointIn)),
    remedy: remedy && remedyText(remedy),
    href: cause && `#${cause}`,
  };
}

/** Returns what the target does where the specification is open, by requirement; alike endpoints share an item. */
export function observationEntries({ observations, requirements }: Report): Entry[] {
  const endpointsOf = (some: Report['observations']) => distinct(some.flatMap(({ endpoint }) => endpoint ?? []));
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
  return alike(things, ({ title, detail }) => [title, detail]).map(group => {
    const [{ title, detail }] = group;
    return { title, detail, items: distinct(group.map(({ item }) => item)) };
  });
}
