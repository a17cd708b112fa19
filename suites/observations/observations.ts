import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { Observation } from '../../contracts/report/journal.ts';
import type { Answer } from '../protocol/answer.ts';
import { askedFor, observers } from './observers.ts';

/** So many values of one subject at one endpoint are kept, so that the answers of a target cannot fill the report. */
const mostValues = 12;

interface Entry {
  readonly requirement: string;
  readonly endpoint: EndpointId;
  readonly subject: string;
  readonly values: Map<string, number>;
}

/** Keeps what a target does where the specification leaves it open, counted. */
export function createObservations() {
  const entries = new Map<string, Entry>();
  const write = (requirement: string, endpoint: EndpointId, subject: string, value: string): void => {
    const key = `${requirement}\n${endpoint}\n${subject}`;
    const entry = entries.get(key) ?? { requirement, endpoint, subject, values: new Map<string, number>() };
    entries.set(key, entry);
    if (entry.values.has(value) || entry.values.size < mostValues)
      entry.values.set(value, (entry.values.get(value) ?? 0) + 1);
  };
  return {
    note(answer: Answer): void {
      const { endpoint } = answer.request;
      const row = endpointRow(endpoint);
      const asked = askedFor(answer);
      if (asked !== null) write(asked.requirement, endpoint, asked.subject, asked.value);
      for (const { requirement, see } of observers) {
        const seen = see(answer, row);
        if (seen === null) continue;
        for (const { subject, value } of 'subject' in seen ? [seen] : seen)
          write(requirement, endpoint, subject, value);
      }
    },
    /** Sorted, so that it is the same whatever the concurrency. */
    all(): readonly Observation[] {
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
