import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject } from '../../../contracts/json.ts';
import type { Observation } from '../../../contracts/report/journal.ts';
import type { TrafficSummary } from '../../../contracts/report/traffic.ts';
import type { Note } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** Counts which operations are used, with which fields, and how they are answered. */
export interface Usage {
  note(seen: SeenExchange): void;
  isUsed(endpoint: EndpointId): boolean;
  all(): TrafficSummary['operations'];
  readonly size: () => number;
}

interface Used {
  requests: number;
  readonly statuses: Map<number, number>;
  readonly fields: Set<string>;
}

/** So many different statuses of one operation are counted apart. */
const mostStatuses = 100;

/** Begins to count. */
export function createUsage(): Usage {
  const used = new Map<EndpointId, Used>();
  /** Requests to no operation are filed under the nearest one, and do not use it. */
  const filed = new Set<EndpointId>();
  return {
    size: () => [...used.values()].reduce((sum, one) => sum + one.statuses.size + one.fields.size, 0),
    isUsed: endpoint => used.has(endpoint) || filed.has(endpoint),
    note({ operation, endpoint, row, answer }) {
      if (operation === undefined) {
        filed.add(endpoint);
        return;
      }
      const one = used.get(endpoint) ?? { requests: 0, statuses: new Map(), fields: new Set<string>() };
      used.set(endpoint, one);
      one.requests += 1;
      if (one.statuses.has(answer.status) || one.statuses.size < mostStatuses)
        one.statuses.set(answer.status, (one.statuses.get(answer.status) ?? 0) + 1);
      for (const field of Object.keys(isObject(answer.sent) ? answer.sent : {}))
        if (Object.hasOwn(row.body?.properties ?? {}, field)) one.fields.add(field);
    },
    all: () =>
      endpointIds.flatMap(endpoint => {
        const one = used.get(endpoint);
        if (one === undefined) return [];
        const documented = Object.keys(endpointRow(endpoint).body?.properties ?? {});
        return [
          {
            endpoint,
            requests: one.requests,
            statuses: [...one.statuses].sort((a, b) => a[0] - b[0]).map(([status, count]) => ({ status, count })),
            fields: documented.filter(field => one.fields.has(field)),
            neverSent: documented.filter(field => !one.fields.has(field)),
          },
        ];
      }),
  };
}

/** Counts what clients do where the specification is open. */
export interface Notes {
  add(endpoint: EndpointId, note: Note): void;
  all(): readonly Observation[];
  readonly size: () => number;
}

/** So many different notes are kept. */
const most = 500;

/** Begins to count. */
export function createNotes(): Notes {
  const found = new Map<string, Observation & { count: number }>();
  return {
    size: () => found.size,
    all: () => [...found.values()],
    add(endpoint, { requirement, subject, value }) {
      const key = JSON.stringify([endpoint, requirement, subject, value]);
      const known = found.get(key);
      if (known !== undefined) known.count += 1;
      else if (found.size < most)
        found.set(key, { event: 'observation', requirement, endpoint, subject, value, count: 1 });
    },
  };
}
