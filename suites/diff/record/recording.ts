import type { Infer } from '../../../contracts/infer.ts';
import type { Json } from '../../../contracts/json.ts';
import type { RecordingHead, recordedBreach, recordedExchange } from '../../../contracts/report/recording.ts';

type ExchangeLine = Infer<typeof recordedExchange>;

/** One exchange of a run, in the specification's names, bounded, and free of secrets. */
export type RecordedExchange = Readonly<Omit<ExchangeLine, 'request' | 'value'>> & {
  readonly request: Readonly<Omit<ExchangeLine['request'], 'body'>> & { readonly body?: Json };
  readonly value?: Json;
};

/** A broken requirement, and the exchange that showed it. */
export type RecordedBreach = Readonly<Infer<typeof recordedBreach>>;

/** What a run did and saw, in the form in which it is compared and kept. */
export type Recording = Readonly<Omit<RecordingHead, 'recording' | 'exchanges' | 'again' | 'breaches'>> & {
  readonly exchanges: readonly RecordedExchange[];
  /** What was sent again, to be shrunk or confirmed, under the id of the first time; absent where it was not noted. */
  readonly again?: readonly RecordedExchange[];
  readonly breaches: readonly RecordedBreach[];
};

/** Whether an answer accepts its request, as far as its status tells. */
export const isAcceptedStatus = ({ status }: Pick<RecordedExchange, 'status'>): boolean =>
  status >= 200 && status < 300;

/** A name that a run created: its token, and its number. */
export const createdName = /conform_([0-9a-z]+)_0*(\d+)/g;

/** The case that an exchange belongs to, `endpoint/check#path`, by its id; null of those that no case sent. */
export function caseOf(id: string, { titles }: Pick<Recording, 'titles'>): string | null {
  // A path may itself end as a number does that counts the requests of its case.
  if (Object.hasOwn(titles, id)) return id;
  const numbered = /^(.*#.*)\.\d+$/.exec(id)?.[1];
  return numbered !== undefined && Object.hasOwn(titles, numbered) ? numbered : null;
}
