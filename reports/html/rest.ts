import type { Report } from '../../contracts/report/report.ts';
import { grouped } from '../text/grouped.ts';
import { endpointsText } from '../text/verdict-text.ts';
import { type Mark, mark } from './marks.ts';
import { type Prose, prose } from './prose.ts';
import { remedyText } from './untested.ts';

/** What the specification leaves open in one requirement, and what this target does there. */
export interface ObservationView {
  readonly mark: Mark;
  readonly requirement: string;
  readonly section: string;
  readonly statement: Prose;
  readonly endpoints: readonly string[];
  /** True if it is short enough to be unfolded. */
  readonly open: boolean;
  readonly seen: readonly { readonly text: string; readonly where: string }[];
}

/** Things of one kind, listed together. */
export interface Listing {
  readonly title: string;
  readonly detail: string;
  readonly items: readonly string[];
  /** How many more there are than are listed. */
  readonly more: number;
}

/** The most lines of observations that are unfolded, and the most items of a listing. */
const most = { open: 4, items: 200 } as const;

/** Returns the observations by requirement; endpoints that do the same are named together. */
export function observationsOf({ observations, requirements }: Report): ObservationView[] {
  const rows = new Map(requirements.map(row => [row.id, row]));
  const endpointsOf = (some: Report['observations']) => [...new Set(some.flatMap(({ endpoint }) => endpoint ?? []))];
  return [...grouped(observations, ({ requirement }) => requirement)].map(([requirement, own]) => {
    const seen = [...grouped(own, ({ subject, value }) => `${subject}: ${value}`)];
    return {
      mark: mark('open'),
      requirement,
      section: rows.get(requirement)?.section ?? '',
      statement: prose(rows.get(requirement)?.statement ?? ''),
      endpoints: endpointsOf(own),
      open: seen.length <= most.open,
      seen: seen.map(([text, same]) => ({ text, where: endpointsText(endpointsOf(same)) })),
    };
  });
}

/** Returns what the run left on the target and the API cannot remove, by endpoint, kind and what became of it. */
export function leftBehindOf({ leftBehind }: Report): Listing[] {
  return listings(
    leftBehind.map(({ kind, what, endpoint, id }) => ({ title: `${kind}: ${what}`, detail: endpoint, item: id })),
  );
}

/** Returns the fields that were not sent for want of vocabulary or capability, by reason. */
export function notExercisedOf({ endpoints }: Report): Listing[] {
  return listings(
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

function listings(
  things: readonly { readonly title: string; readonly detail: string; readonly item: string }[],
): Listing[] {
  const groups = grouped(things, ({ title, detail }) => JSON.stringify([title, detail]));
  return [...groups.values()].map(group => {
    const items = [...new Set(group.map(({ item }) => item))];
    const { title = '', detail = '' } = group[0] ?? {};
    return { title, detail, items: items.slice(0, most.items), more: Math.max(0, items.length - most.items) };
  });
}
