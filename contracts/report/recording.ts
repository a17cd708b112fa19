import type { Schema } from '../dialect.ts';
import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { record, recordBut } from '../object.ts';
import { count, flag, ids, integer, level, number, ours, profile, text } from './evidence.ts';

/**
 * A recorded run (`run --record`): lines of JSON, compressed by gzip. The first line is the head, each other one an
 * exchange, one that was sent again, or a broken requirement; the head says how many of each there are.
 */

/** What the first line of every recording says of itself. */
export const recordingKind = 'console-conformance recording';

const textsByName = { type: 'object', additionalProperties: text } as const satisfies Schema;
const query = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, number] },
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
  /** What marks the names of all that the run created. */
  token: ours,
  /** How the run ended, and why before its end. */
  outcome: ours,
  because: text,
  requests: count,
  /** The title of each case, by `endpoint/check#path`. */
  titles: textsByName,
  /** Of a case about one field of the body: the JSON Pointer to it, by `endpoint/check#path`. */
  pointers: textsByName,
  /** `endpoint/check` of what could not be tested, and why. */
  untested: textsByName,
  /** How many lines of each kind follow. */
  exchanges: count,
  breaches: count,
  /** Of requests that were sent again; absent where it was not noted. */
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
      /** As it went on the wire, relative to the base URL. */
      path: text,
      param: text,
      query,
      /** The body that was sent, names stamped; absent where there was none. */
      body: {},
      /** The beginning of a body that was sent as it is. */
      raw: text,
      /** The key that the request carried, as far as it matters to a comparison: never its value. */
      key: { enum: ['valid', 'none', 'other'] },
      /** Of another key what it is, in words: `empty`, a near miss of the right one and of which kind, or `unlike it`. */
      presented: text,
      /** The OPEN requirement that the request asks about. */
      asks: ours,
      /** False of a request with another method or path than its operation has. */
      own: flag,
    }),
    /** 0 where there was no answer. */
    status: integer,
    failure: text,
    /** Without its parameters, in lower case. */
    mediaType: text,
    /** The JSON value of the answer; absent where there is none, or where it is too large to be kept. */
    value: {},
    /** The beginning of a body that is no JSON, or too large. */
    text,
    /** The value is left out because it is too large. */
    isTooLong: { const: true },
    /** When it went on the wire and when its answer was there, by a clock that never goes back. */
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
