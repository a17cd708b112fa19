import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { membersOf } from '../../../contracts/json.ts';
import type { Observation } from '../../../contracts/report/journal.ts';
import type { TrafficSummary } from '../../../contracts/report/traffic.ts';
import type { Note } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

interface Used {
  requests: number;
  readonly statuses: Map<number, number>;
  readonly fields: Set<string>;
}

/** Maximum number of different statuses counted per operation. */
const mostStatuses = 100;

/** Counts the requests, body fields and statuses of each operation. */
export function createUsage() {
  const used = new Map<EndpointId, Used>();
  /** The nearest operations of requests without one; the summary does not list them as used. */
  const filed = new Set<EndpointId>();
  return {
    size: (): number => [...used.values()].reduce((sum, one) => sum + one.statuses.size + one.fields.size, 0),
    isUsed: (endpoint: EndpointId): boolean => used.has(endpoint) || filed.has(endpoint),
    note({ operation, endpoint, row, answer: { status, sent } }: SeenExchange): void {
      if (!operation) {
        filed.add(endpoint);
        return;
      }
      const one = used.get(endpoint) ?? { requests: 0, statuses: new Map(), fields: new Set<string>() };
      used.set(endpoint, one);
      one.requests += 1;
      if (one.statuses.has(status) || one.statuses.size < mostStatuses)
        one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1);
      for (const field of Object.keys(membersOf(sent)))
        if (Object.hasOwn(row.body?.properties ?? {}, field)) one.fields.add(field);
    },
    all: (): TrafficSummary['operations'] =>
      endpointIds.flatMap(endpoint => {
        const one = used.get(endpoint);
        if (!one) return [];
        const { requests, statuses, fields } = one;
        const documented = Object.keys(endpointRow(endpoint).body?.properties ?? {});
        return {
          endpoint,
          requests,
          statuses: [...statuses].sort((a, b) => a[0] - b[0]).map(([status, count]) => ({ status, count })),
          fields: documented.filter(field => fields.has(field)),
          neverSent: documented.filter(field => !fields.has(field)),
        };
      }),
  };
}

/** Maximum number of different notes kept. */
const mostNotes = 500;

/** Counts the notes on what the specification leaves open. */
export function createNotes() {
  const found = new Map<string, Observation & { count: number }>();
  return {
    size: (): number => found.size,
    all: (): readonly Observation[] => [...found.values()],
    add(endpoint: EndpointId, { requirement, subject, value }: Note): void {
      const key = JSON.stringify([endpoint, requirement, subject, value]);
      const known = found.get(key);
      if (known) known.count += 1;
      else if (found.size < mostNotes)
        found.set(key, { event: 'observation', requirement, endpoint, subject, value, count: 1 });
    },
  };
}
