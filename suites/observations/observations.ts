import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { Observation } from '../../contracts/report/journal.ts';
import type { Answer } from '../protocol/answer.ts';
import { askedFor, observers } from './observers.ts';

/** Keeps what a target does where the specification leaves it open, counted. */
export interface Observations {
  note(answer: Answer): void;
  /** Sorted, so that it is the same whatever the concurrency. */
  all(): readonly Observation[];
}

/** So many values of one subject at one endpoint are kept, so that the answers of a target cannot fill the report. */
const mostValues = 12;

interface Entry {
  readonly requirement: string;
  readonly endpoint: EndpointId;
  readonly subject: string;
  readonly values: Map<string, number>;
}

/** Observations of a run, none at first. */
export function createObservations(): Observations {
  const entries = new Map<string, Entry>();
  const write = (requirement: string, endpoint: EndpointId, subject: string, value: string): void => {
    const key = `${requirement}\n${endpoint}\n${subject}`;
    const entry = entries.get(key) ?? { requirement, endpoint, subject, values: new Map<string, number>() };
    entries.set(key, entry);
    if (entry.values.has(value) || entry.values.size < mostValues)
      entry.values.set(value, (entry.values.get(value) ?? 0) + 1);
  };
  return {
    note(answer) {
      const { endpoint } = answer.request;
      const asked = askedFor(answer);
      if (asked !== null) write(asked.requirement, endpoint, asked.subject, asked.value);
      for (const { requirement, see } of observers) {
        for (const { subject, value } of [see(answer, endpointRow(endpoint)) ?? []].flat())
          write(requirement, endpoint, subject, value);
      }
    },
    all() {
      const observations = [...entries.values()].flatMap(({ requirement, endpoint, subject, values }) =>
        [...values].map(
          ([value, count]): Observation => ({ event: 'observation', requirement, endpoint, subject, value, count }),
        ),
      );
      const key = (one: Observation): string => `${one.requirement} ${one.endpoint} ${one.subject} ${one.value}`;
      return observations.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    },
  };
}
