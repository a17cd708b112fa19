import type { Report } from '../../contracts/report/report.ts';
import { remedyText } from './gaps.ts';

/** Things of one kind, told together. */
export interface Residue {
  readonly title: string;
  readonly detail: string;
  readonly items: readonly string[];
  /** How many more there are than are listed. */
  readonly more: number;
}

const mostItems = 200;

/** What the run left on the target and the API cannot take away, by endpoint, kind and what became of it. */
export function leftBehindOf({ leftBehind }: Report): Residue[] {
  return grouped(leftBehind, ({ kind, what, endpoint, id }) => ({
    title: `${kind}: ${what}`,
    detail: endpoint,
    item: id,
  }));
}

/** The fields that were not sent for want of vocabulary or capability, by reason. */
export function notExercisedOf({ endpoints }: Report): Residue[] {
  const fields = endpoints.flatMap(({ id, checks }) =>
    checks.flatMap(check => check.notExercised.map(one => ({ ...one, endpoint: id }))),
  );
  return grouped(fields, ({ because, remedy, endpoint, field }) => ({
    title: because,
    detail: remedy === undefined ? '' : remedyText(remedy),
    item: `${endpoint} ${field}`,
  }));
}

function grouped<T>(
  things: readonly T[],
  tell: (thing: T) => { readonly title: string; readonly detail: string; readonly item: string },
): Residue[] {
  const groups = new Map<string, { title: string; detail: string; items: Set<string> }>();
  for (const { title, detail, item } of things.map(tell)) {
    const key = JSON.stringify([title, detail]);
    const group = groups.get(key) ?? { title, detail, items: new Set() };
    group.items.add(item);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ title, detail, items }) => ({
    title,
    detail,
    items: [...items].slice(0, mostItems),
    more: Math.max(0, items.size - mostItems),
  }));
}
