import type { Schema } from '../dialect.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { count, flag, integer, number, some, text, texts } from '../scalars.ts';
import { levels, profiles } from './choices.ts';

export * from '../scalars.ts';

/** A text of the suite's own: an id, a version, a token. It is not searched for secrets, because no target wrote it. */
export const ours = { type: 'string' } as const satisfies Schema;
export const ids = list(ours);
export const profile = { enum: profiles } as const satisfies Schema;
export const level = { enum: levels } as const satisfies Schema;

/**
 * Marks that replace the API key in evidence, and values so near to it that they would disclose it. The text around one
 * stays (`Bearer «the API key»`), so that a curl line can have the shell insert the key.
 */
export const redactions = {
  key: '«the API key»',
  longer: '«the API key and one character more»',
  longerBefore: '«the API key and one character before it»',
  joinedParts: '«the API key without its separators»',
  otherCase: '«the API key in another letter case»',
  sameShape: '«another key of the same shape»',
  butLast: '«the API key but for its last character»',
  firstHalf: '«the first half of the API key»',
  inside: '«the API key with one character inside changed»',
  lastChanged: '«the API key with its last characters changed»',
  firstPartCase: '«the API key with its first part in another letter case»',
  lastPartCase: '«the API key with its last part in another letter case»',
  butLastPart: '«the API key but for its last part»',
  basic: '«the API key as basic credentials»',
} as const;

/** Marks that replace other secrets of the owner, which no command line can compute. */
export const hidden = {
  header: '«the value of an added header»',
  proxy: '«the password of the proxy»',
  clientKey: '«the key of the client certificate»',
  /** For a value that is a secret by its name or its shape. */
  named: '«redacted»',
} as const;

/** A body as it was on the wire, truncated to a bounded length, secrets redacted. `bytes` is the original length. */
const bodyEvidence = record({ text, bytes: count, truncated: flag });

const headers = list(record({ name: text, value: text }));

/**
 * How an answer deviates. It was accepted although it had to be refused, or the reverse; the target failed; there was
 * no answer; the frame of the answer is wrong (its status, a header, its body as a whole); a value in it is wrong.
 */
export const deviations = ['accepted', 'refused', 'failed', 'unanswered', 'frame', 'value'] as const;

/** A request with its `response`, or with the `failure` that left it without an HTTP answer. */
const exchangeSchema = recordBut(['response', 'failure'], {
  /** `endpoint/check#n`: the n-th request of that check. */
  id: ours,
  request: recordBut(['body'], { method: text, url: text, headers, body: bodyEvidence }),
  response: record({ status: integer, headers, body: bodyEvidence }),
  failure: text,
  durationMs: { type: 'number', minimum: 0 },
});

/** The smallest known input that shows a finding. */
const counterexampleSchema = recordBut(['unit', 'index', 'sent', 'control', 'shrinks'], {
  /** The value of `--path` that repeats exactly this case. */
  path: text,
  /** The `endpoint/check` that sent the case, if a passive check found it in that check's traffic. */
  unit: ours,
  /** Its place among the cases of its check in this run, from 0. */
  index: count,
  /** The case in words: "description of 1001 characters". */
  title: text,
  /** JSON Pointer of the one field in which the case differs from its accepted control; empty: the whole request. */
  pointer: text,
  /** The value sent there. Absent: the field was left out. */
  sent: {},
  /** The value the accepted control had there. Absent: it had none, or there is no control. */
  control: {},
  shrinks: count,
});

/** One request of a sequence. */
const stepSchema = recordBut(['shown'], {
  /** Its place in the sequence, from 1. Gaps mean that requests were left out. */
  number: some,
  exchange: exchangeSchema,
  /** The value at the accused place in its answer, as JSON, truncated. Absent: nothing. */
  shown: text,
});

/**
 * The kinds of discrepancies.
 *
 * The outcome of a request contradicts the specification: it was accepted, refused, failed or not answered. The frame
 * of an answer is wrong: its status, a header, its body as a whole.
 *
 * A value in it is wrong. It is `missing`, or `present` although it must not be; it has another `type`, breaks another
 * `constraint`, or is another `value`. A write is `lost`, an unwritten field is `changed`, a request that must have no
 * effect left a `trace`. Another entity is shown (`swapped`), or two readings `disagree`.
 *
 * A client's request is wrong outside its body (`request`).
 */
const discrepancyKinds = [
  'accepted',
  'refused',
  'failed',
  'unanswered',
  'status',
  'header',
  'body',
  'missing',
  'present',
  'type',
  'constraint',
  'value',
  'lost',
  'changed',
  'trace',
  'swapped',
  'disagree',
  'request',
] as const;

/** The discrepancy as data; `expected` and `actual` of a finding say the same in words. */
const discrepancySchema = recordBut(['expected', 'got', 'constraint'], {
  kind: { enum: discrepancyKinds },
  /** The value that should be shown. Absent: it is long, or several are allowed. */
  expected: {},
  /** The value that is shown. Absent: there is none, or it is long. */
  got: {},
  /** The keyword of JSON Schema that the value breaks, and its limit; for `type` always a list of types. */
  constraint: record({ keyword: ours, limit: {} }),
});

/** One way in which answers broke one requirement. */
export const findingSchema = recordBut(
  ['fault', 'doubt', 'notScored', 'seen', 'timeline', 'counterexample', 'exchange', 'accused', 'steps'],
  {
    requirement: ours,
    /** The level of the requirement, or SHOULD if there is a doubt. */
    level,
    /** Why it is only a warning, whatever the level of the requirement. */
    doubt: text,
    /** Why its requirement does not count in the set by which the run is judged. */
    notScored: { enum: ['added', 'removed', 'challenged'] },
    /** JSON Pointer into the answer's body (or `status`, `header content-type`, `connection` outside it). */
    pointer: text,
    expected: text,
    actual: text,
    /** The discrepancy as data. Absent in journals of earlier versions, for whose findings no script judges a value. */
    fault: discrepancySchema,
    /** How many inputs of this check showed the same finding. */
    occurrences: some,
    /** How often the finding appeared again when the same request was repeated. */
    seen: record({ times: some, of: some }),
    /** For requests sent at once: the requests with their answers, and what was read afterwards, a line each. */
    timeline: texts,
    counterexample: counterexampleSchema,
    exchange: exchangeSchema,
    /** The value at the pointer, as JSON, truncated; given if the body of the exchange is truncated before it. */
    accused: text,
    /** For a sequence: its requests in order, at most twelve, including that of the exchange. */
    steps: list(stepSchema),
  },
);

/** What the cases of a check sent, and how many of its requests were accepted or refused. */
export const checkStats = record({
  cases: count,
  requests: count,
  accepted: count,
  refused: count,
  durationMs: number,
});

export type BodyEvidence = Infer<typeof bodyEvidence>;
export type Exchange = Infer<typeof exchangeSchema>;
export type Counterexample = Infer<typeof counterexampleSchema>;
export type Step = Infer<typeof stepSchema>;
export type Finding = Infer<typeof findingSchema>;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];
export type Discrepancy = Infer<typeof discrepancySchema>;
export type Deviation = (typeof deviations)[number];
