import type { Schema } from '../dialect.ts';
import { endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { profiles } from './choices.ts';
import { count, ours, text } from './evidence.ts';
import { levels } from './journal.ts';

/**
 * A recorded run (`run --record`): lines of JSON, compressed by gzip. The first line is the head, each other one an
 * exchange, one that was sent again, or a broken requirement; the head says how many of each there are.
 */

/** What the first line of every recording says of itself. */
export const recordingKind = 'console-conformance recording';

const ids = list(ours);
const endpoint = { enum: endpointIds } as const satisfies Schema;
const textsByName = { type: 'object', additionalProperties: text } as const satisfies Schema;
const query = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
} as const satisfies Schema;

/** The head of a recording. */
export const recordingHead = recordBut(['because', 'again'], {
  recording: { const: recordingKind },
  version: { const: 1 },
  tool: ours,
  baseUrl: text,
  seed: { type: 'integer' },
  profile: { enum: profiles },
  readOnly: { type: 'boolean' },
  only: ids,
  skip: ids,
  token: ours,
  outcome: ours,
  because: text,
  requests: count,
  titles: textsByName,
  pointers: textsByName,
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
    id: ours,
    endpoint,
    request: recordBut(['param', 'query', 'body', 'raw', 'asks'], {
      method: text,
      path: text,
      param: text,
      query,
      body: {},
      raw: text,
      key: { enum: ['valid', 'none', 'other'] },
      asks: ours,
      own: { type: 'boolean' },
    }),
    status: { type: 'integer' },
    failure: text,
    mediaType: text,
    value: {},
    text,
    /** The value is left out because it is too large. */
    isTooLong: { const: true },
    /** When it went on the wire and when its answer was there, by a clock that never goes back. */
    begunMs: { type: 'number' },
    answeredMs: { type: 'number' },
  },
);

/** A requirement that was broken in a recorded run. */
export const recordedBreach = record({
  id: ours,
  requirement: ours,
  level: { enum: levels },
  pointer: text,
  expected: text,
  actual: text,
});

export type RecordingHead = Infer<typeof recordingHead>;
