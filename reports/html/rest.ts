import type { Report } from '../../contracts/report/report.ts';
import { observationsByRequirement } from '../journal/selections.ts';
import { grouped } from '../text/grouped.ts';
import { mark } from './marks.ts';
import { prose } from './prose.ts';
import { remedyText } from './untested.ts';

/** The most lines of observations that are unfolded, and the most items of a list. */
const most = { open: 4, items: 200 } as const;

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
    leftBehind.map(({ kind, what, endpoint, id }) => ({ title: `${kind}: ${what}`, detail: endpoint, item: id })),
  );
}

/** Returns the fields that were not sent for want of vocabulary or capability, by reason. */
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
