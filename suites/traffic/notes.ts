import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Observation } from '../../contracts/report/journal.ts';
import type { Note } from './breach.ts';

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
