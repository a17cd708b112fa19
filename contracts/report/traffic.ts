import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { count, flag, text, texts } from './evidence.ts';

/** What a journal says of the traffic of others, beside what it says of any run. */

/** Who is judged: who sent the requests, or who answered them. */
export const sides = ['client', 'server'] as const;

/** How traffic that others sent was judged. */
export const trafficOptions = recordBut(['expected'], {
  /** Where it was taken from: files, or the proxy. */
  sources: texts,
  /** Nobody but the observed clients writes: then what one answer shows is held against earlier ones. */
  soleWriter: flag,
  /** So long what was written may take to show, in milliseconds. */
  settleMs: count,
  /** Whose breaches fail. */
  failOn: { enum: [...sides, 'any'] },
  /** The file of the breaches that the client's tests make on purpose. */
  expected: text,
});

const reasons = list(record({ because: text, count }));

/** What judged traffic held: each exchange is counted once, as judged, as not judged, or as outside the API. */
export const trafficSummary = record({
  event: { const: 'traffic' },
  exchanges: count,
  judged: count,
  notJudged: reasons,
  outside: reasons,
  /** What would have been said of state across exchanges, and was not. */
  stateNotJudged: reasons,
  /** The operations that were used. */
  operations: list(
    record({
      endpoint,
      requests: count,
      /** By status; 0 where there was no answer. */
      statuses: list(record({ status: count, count })),
      /** Documented fields of the body that were sent, and those that never were. */
      fields: texts,
      neverSent: texts,
    }),
  ),
  /** Breaches that were expected, and how often each was seen: one that never is fails. */
  expected: list(record({ entry: text, times: count })),
});

export type TrafficOptions = Infer<typeof trafficOptions>;
export type TrafficSummary = Infer<typeof trafficSummary>;
