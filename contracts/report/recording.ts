import type { Schema } from '../dialect.ts';
import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { record, recordBut } from '../object.ts';
import { count, flag, ids, integer, level, number, ours, profile, text } from './evidence.ts';

/**
 * A recorded run (`run --record`): lines of JSON, compressed by gzip. The first line is the head, which has the number
 * of lines of each kind. The others are exchanges, repeated exchanges and broken requirements.
 */

/** The value by which the first line identifies a recording. */
export const recordingKind = 'console-conformance recording';

const textsByName = { type: 'object', additionalProperties: text } as const satisfies Schema;
const query = {
  type: 'object',
  additionalProperties: { anyOf: [text, number] },
} as const satisfies Schema;

/** The head of a recording. */
export const recordingHead = recordBut(['because', 'again'], {
  recording: { const: recordingKind },
  version: { const: 1 },
  /** The version of this program, which decides what is sent. */
  tool: ours,
  baseUrl: text,
  seed: integer,
  profile,
  readOnly: flag,
  only: ids,
  skip: ids,
  /** Marks the names of everything that the run created. */
  token: ours,
  /** How the run ended, and why it ended early. */
  outcome: ours,
  because: text,
  requests: count,
  /** The title of each case, by `endpoint/check#path`. */
  titles: textsByName,
  /** For a case about one field of the body: its JSON Pointer, by `endpoint/check#path`. */
  pointers: textsByName,
  /** Why an `endpoint/check` could not be tested. */
  untested: textsByName,
  /** The number of lines of each kind that follow. */
  exchanges: count,
  breaches: count,
  /** The number of repeated requests; absent if it was not recorded. */
  again: count,
});

/** One exchange of a recorded run. */
export const recordedExchange = recordBut(
  ['failure', 'mediaType', 'value', 'text', 'isTooLong', 'begunMs', 'answeredMs'],
  {
    /** `endpoint/check#path`, with `.n` from the second request of a case on. */
    id: ours,
    endpoint,
    request: recordBut(['param', 'query', 'body', 'raw', 'asks', 'presented'], {
      method: text,
      /** As on the wire, relative to the base URL. */
      path: text,
      param: text,
      query,
      /** The body that was sent, names stamped; absent if there was none. */
      body: {},
      /** The beginning of a body that was sent as raw text. */
      raw: text,
      /** The kind of key, as far as a comparison needs it: never its value. */
      key: { enum: ['valid', 'none', 'other'] },
      /** Another key in words: `empty`, which near miss of the right one, or `unlike it`. */
      presented: text,
      /** The OPEN requirement that the request explores. */
      asks: ours,
      /** False if the method or path differs from the operation's. */
      own: flag,
    }),
    /** 0 if there was no answer. */
    status: integer,
    failure: text,
    /** Without parameters, in lower case. */
    mediaType: text,
    /** The JSON value of the answer; absent if there is none, or if it is too large to keep. */
    value: {},
    /** The beginning of a body that is not JSON, or too large. */
    text,
    /** The value was omitted because it is too large. */
    isTooLong: { const: true },
    /** When the request was sent and the answer had arrived, by a monotonic clock. */
    begunMs: number,
    answeredMs: number,
  },
);

/** A requirement that was broken in a recorded run. */
export const recordedBreach = record({
  id: ours,
  requirement: ours,
  level,
  pointer: text,
  expected: text,
  actual: text,
});

export type RecordingHead = Infer<typeof recordingHead>;
