import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { count, flag, text, texts } from './evidence.ts';

/** The parts of a journal about judged traffic, in addition to the events of any run. */

/** The side that is judged: the sender of the requests, or of the answers. */
export const sides = ['client', 'server'] as const;

/** How traffic between others was judged. */
export const trafficOptions = recordBut(['expected'], {
  /** The sources of the traffic: files, or the proxy. */
  sources: texts,
  /** Only the observed clients write, so each answer is compared with earlier ones. */
  soleWriter: flag,
  /** How long a write may take to show, in milliseconds. */
  settleMs: count,
  /** The side whose breaches fail the run. */
  failOn: { enum: [...sides, 'any'] },
  /** The file of breaches that the client's tests make on purpose. */
  expected: text,
});

const reasons = list(record({ because: text, count }));

/** The content of judged traffic: each exchange is counted once, as judged, not judged, or outside the API. */
export const trafficSummary = record({
  event: { const: 'traffic' },
  exchanges: count,
  judged: count,
  notJudged: reasons,
  outside: reasons,
  /** Conclusions about state across exchanges that could not be drawn. */
  stateNotJudged: reasons,
  /** The operations that were used. */
  operations: list(
    record({
      endpoint,
      requests: count,
      /** By status; 0 if there was no answer. */
      statuses: list(record({ status: count, count })),
      /** Documented fields of the body that were sent, and that were never sent. */
      fields: texts,
      neverSent: texts,
    }),
  ),
  /** Expected breaches, and how often each was seen: one that is never seen fails the run. */
  expected: list(record({ entry: text, times: count })),
});

export type TrafficOptions = Infer<typeof trafficOptions>;
export type TrafficSummary = Infer<typeof trafficSummary>;
