import type { TrafficReport } from '../../contracts/report/report.ts';
import { counted } from './page.ts';
import { safeText } from './safe-text.ts';

type Reasons = TrafficReport['notJudged'];

const sumOf = (reasons: Reasons): number => reasons.reduce((sum, { count }) => sum + count, 0);

/** Returns why some exchanges were not judged: `3 × there was no answer`. */
export const reasonTexts = (reasons: Reasons): string[] =>
  reasons.map(({ because, count }) => `${count.toLocaleString('en')} × ${safeText(because, 160)}`);

/** Returns the sums over the exchanges of some traffic, with none left out. */
export function exchangesText({ exchanges, judged, notJudged, outside }: TrafficReport): string {
  const figures = [
    `${judged.toLocaleString('en')} judged`,
    `${sumOf(notJudged).toLocaleString('en')} not judged`,
    `${sumOf(outside).toLocaleString('en')} outside the API`,
  ];
  return `${counted(exchanges, 'exchange')}: ${figures.join(', ')}; no exchange silently unjudged`;
}

/** Returns which operations were used, and which never: `4 of 15 operations used; never: list-events, …`. */
export function operationsText({ operations }: TrafficReport, all: readonly string[]): string {
  const used = new Set<string>(operations.map(({ endpoint }) => endpoint));
  const never = all.filter(id => !used.has(id));
  const text = `${used.size} of ${all.length} operations used`;
  return never.length === 0 ? text : `${text}; never: ${never.join(', ')}`;
}

/** Returns how the requests of an operation were answered: `200 × 12, 404 × 1`. */
export const statusesText = ({ statuses }: TrafficReport['operations'][number]): string =>
  statuses
    .map(({ status, count }) => `${status === 0 ? 'no answer' : status} × ${count.toLocaleString('en')}`)
    .join(', ');

/** Returns how many documented fields of the used operations no body had. */
export function fieldsText({ operations }: TrafficReport): string {
  const sent = operations.reduce((sum, { fields }) => sum + fields.length, 0);
  const never = operations.reduce((sum, { neverSent }) => sum + neverSent.length, 0);
  return `${sent} of ${sent + never} documented fields of their bodies sent`;
}
