import type { Report } from '../../contracts/report/report.ts';
import { type Prose, prose } from './prose.ts';

/** What the specification leaves open in one requirement, and what this target does there. */
export interface ObservationView {
  readonly requirement: string;
  readonly section: string;
  readonly statement: Prose;
  readonly endpoints: readonly string[];
  /** True if it is short enough to be seen at once. */
  readonly open: boolean;
  readonly seen: readonly { readonly text: string; readonly where: string }[];
}

/** Endpoints that are named one by one; of more only their number is told. */
const mostNamed = 3;

/** Observations of more lines are folded at first. */
const mostOpen = 4;

/** The observations by requirement; endpoints that do the same are told together. */
export function observationsOf({ observations, requirements }: Report): ObservationView[] {
  const rows = new Map(requirements.map(row => [row.id, row]));
  const groups = new Map<string, { endpoints: Set<string>; seen: Map<string, Set<string>> }>();
  for (const { requirement, endpoint, subject, value } of observations) {
    const group = groups.get(requirement) ?? { endpoints: new Set(), seen: new Map<string, Set<string>>() };
    const text = `${subject}: ${value}`;
    const where = group.seen.get(text) ?? new Set();
    if (endpoint !== undefined) {
      where.add(endpoint);
      group.endpoints.add(endpoint);
    }
    group.seen.set(text, where);
    groups.set(requirement, group);
  }
  return [...groups].map(([requirement, { endpoints, seen }]) => ({
    requirement,
    section: rows.get(requirement)?.section ?? '',
    statement: prose(rows.get(requirement)?.statement ?? ''),
    endpoints: [...endpoints],
    open: seen.size <= mostOpen,
    seen: [...seen].map(([text, where]) => ({
      text,
      where: where.size > mostNamed ? `${where.size} endpoints` : [...where].join(', '),
    })),
  }));
}
