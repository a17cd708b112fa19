import type { Exchange, Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, PlannedCheck, RunEnd, RunEvent, RunStart } from '../../contracts/report/journal.ts';

/** What is wrong with a result: what stands in it, and what contradicts it. */
export type Contradiction = string;

/** The journal of one run, taken apart. */
export interface JournalParts {
  readonly start: RunStart;
  readonly events: readonly RunEvent[];
  readonly plan: ReadonlyMap<string, PlannedCheck>;
  readonly ends: readonly CheckEnd[];
  readonly end: RunEnd | undefined;
  readonly exchanges: readonly Exchange[];
  /** It was taken from a report, which may have been folded from the journals of several shards. */
  readonly isReport: boolean;
}

/** The exchanges that a finding shows. */
export const evidenceOf = ({ exchange, steps = [] }: Finding): Exchange[] => [
  ...(exchange === undefined ? [] : [exchange]),
  ...steps.map(step => step.exchange),
];

/** Takes a journal apart. Its first event is a `run-start`. */
export function partsOf(events: readonly RunEvent[], isReport: boolean): JournalParts {
  const start = events[0] as RunStart;
  const ends = events.filter(event => event.event === 'check-end');
  return {
    start,
    events,
    plan: new Map(start.plan.map(row => [row.id, row])),
    ends,
    end: events.find(event => event.event === 'run-end'),
    isReport,
    exchanges: ends.flatMap(({ findings }) => findings.flatMap(evidenceOf)),
  };
}

/** Looks for what cannot be so in a journal that nobody touched. */
export type Rule = (parts: JournalParts) => readonly (Contradiction | false | undefined)[];
