import type { Infer } from '../../../contracts/infer.ts';
import { type Json, membersOf } from '../../../contracts/json.ts';
import type { RecordingHead, recordedBreach, recordedExchange } from '../../../contracts/report/recording.ts';

type ExchangeLine = Infer<typeof recordedExchange>;

/** One exchange of a run, with the names of the specification, bounded and without secrets. */
export type RecordedExchange = Readonly<Omit<ExchangeLine, 'request' | 'value'>> & {
  readonly request: Readonly<Omit<ExchangeLine['request'], 'body'>> & { readonly body?: Json };
  readonly value?: Json;
};

/** A broken requirement, and the id of the exchange that showed it. */
export type RecordedBreach = Readonly<Infer<typeof recordedBreach>>;

/** The exchanges and breaches of a run, in the form in which they are compared and kept. */
export type Recording = Readonly<Omit<RecordingHead, 'recording' | 'exchanges' | 'again' | 'breaches'>> & {
  readonly exchanges: readonly RecordedExchange[];
  /** Requests repeated for shrinking or confirming, under the original id; absent if not recorded. */
  readonly again?: readonly RecordedExchange[];
  readonly breaches: readonly RecordedBreach[];
};

/** True if the status accepts the request. */
export const isAcceptedStatus = ({ status }: RecordedExchange): boolean => status >= 200 && status < 300;

/** True for a dry run, which writes nothing. */
export const isDryRun = ({ request: { body } }: RecordedExchange): boolean => membersOf(body).dryRun === true;

/** Matches a name that a run created: its token and its number. */
export const createdName = /conform_([0-9a-z]+)_0*(\d+)/g;

/** Returns the case of an exchange, `endpoint/check#path`, by its id; null if no case sent it. */
export function caseOf(id: string, { titles }: Pick<Recording, 'titles'>): string | null {
  // Try the whole id first: the path of a case may itself end in a number after a full stop.
  if (Object.hasOwn(titles, id)) return id;
  const numbered = /^(.*#.*)\.\d+$/.exec(id)?.[1];
  return numbered !== undefined && Object.hasOwn(titles, numbered) ? numbered : null;
}
