import type { Schema } from '../dialect.ts';
import type { Infer } from '../infer.ts';

/**
 * What replaces the API key in evidence, and values so near to it that they would disclose it. The text around it stays
 * (`Bearer «the API key»`), so that a curl line can have the shell insert the key.
 */
export const redactions = {
  key: '«the API key»',
  longer: '«the API key and one character more»',
  otherCase: '«the API key in another letter case»',
  sameShape: '«another key of the same shape»',
  butLast: '«the API key but for its last character»',
  firstHalf: '«the first half of the API key»',
} as const;

/** A body as it was on the wire, cut to a bounded length, secrets redacted. `bytes` is the length before the cut. */
export const bodyEvidence = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    bytes: { type: 'integer', minimum: 0 },
    truncated: { type: 'boolean' },
  },
  required: ['text', 'bytes', 'truncated'],
} as const satisfies Schema;

const headers = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, value: { type: 'string' } },
    required: ['name', 'value'],
  },
} as const satisfies Schema;

/** One request with its `response`, or with the `failure` that left it without an HTTP answer. */
export const exchangeSchema = {
  type: 'object',
  properties: {
    /** `endpoint/check#n`: the n-th request of that check. */
    id: { type: 'string' },
    request: {
      type: 'object',
      properties: {
        method: { type: 'string' },
        url: { type: 'string' },
        headers,
        body: bodyEvidence,
      },
      required: ['method', 'url', 'headers'],
    },
    response: {
      type: 'object',
      properties: { status: { type: 'integer' }, headers, body: bodyEvidence },
      required: ['status', 'headers', 'body'],
    },
    failure: { type: 'string' },
    durationMs: { type: 'number', minimum: 0 },
  },
  required: ['id', 'request', 'durationMs'],
} as const satisfies Schema;

/** The smallest input that was found to show a finding. */
export const counterexampleSchema = {
  type: 'object',
  properties: {
    /** The value of `--path` with which exactly this is sent again. */
    path: { type: 'string' },
    /** The `endpoint/check` whose case it is, where a passive check found it in the traffic of that one. */
    unit: { type: 'string' },
    /** The case in words: "description of 1001 characters". */
    title: { type: 'string' },
    /** JSON Pointer of the one field in which the case differs from its accepted control; empty: the whole request. */
    pointer: { type: 'string' },
    /** The value sent there. Absent: the field was left out. */
    sent: {},
    /** The value the accepted control had there. Absent: it had none, or there is no control. */
    control: {},
    shrinks: { type: 'integer', minimum: 0 },
  },
  required: ['path', 'title', 'pointer'],
} as const satisfies Schema;

/** One way in which answers broke one requirement. */
export const findingSchema = {
  type: 'object',
  properties: {
    requirement: { type: 'string' },
    level: { enum: ['MUST', 'SHOULD'] },
    /** JSON Pointer into the answer's body (or `status`, `header content-type`, `connection` outside it). */
    pointer: { type: 'string' },
    expected: { type: 'string' },
    actual: { type: 'string' },
    /** How many inputs of this check showed the same finding. */
    occurrences: { type: 'integer', minimum: 1 },
    /** How often the same request showed it again when it was sent again. */
    seen: {
      type: 'object',
      properties: { times: { type: 'integer', minimum: 1 }, of: { type: 'integer', minimum: 1 } },
      required: ['times', 'of'],
    },
    counterexample: counterexampleSchema,
    exchange: exchangeSchema,
  },
  required: ['requirement', 'level', 'pointer', 'expected', 'actual', 'occurrences'],
} as const satisfies Schema;

export type BodyEvidence = Infer<typeof bodyEvidence>;
export type Exchange = Infer<typeof exchangeSchema>;
export type Counterexample = Infer<typeof counterexampleSchema>;
export type Finding = Infer<typeof findingSchema>;
