import type { Schema } from '../dialect.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { levels, profiles } from './choices.ts';

export const text = { type: 'string' } as const satisfies Schema;
/** A text of our own: an id, a version, a token. Nothing of a target stands in it, and so no secret is looked for there. */
export const ours = { type: 'string' } as const satisfies Schema;
export const texts = list(text);
export const ids = list(ours);
export const flag = { type: 'boolean' } as const satisfies Schema;
export const integer = { type: 'integer' } as const satisfies Schema;
export const number = { type: 'number' } as const satisfies Schema;
export const count = { type: 'integer', minimum: 0 } as const satisfies Schema;
/** How many of what there is at least one. */
export const some = { type: 'integer', minimum: 1 } as const satisfies Schema;
export const profile = { enum: profiles } as const satisfies Schema;
export const level = { enum: levels } as const satisfies Schema;

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
  inside: '«the API key with one character inside changed»',
  lastChanged: '«the API key with its last characters changed»',
  firstPartCase: '«the API key with its first part in another letter case»',
  lastPartCase: '«the API key with its last part in another letter case»',
  butLastPart: '«the API key but for its last part»',
  basic: '«the API key as basic credentials»',
} as const;

/** What replaces other secrets of the owner, which no command line can compute again. */
export const hidden = {
  header: '«the value of an added header»',
  proxy: '«the password of the proxy»',
  clientKey: '«the key of the client certificate»',
  /** Of a value that is a secret by its name or its shape. */
  named: '«redacted»',
} as const;

/** A body as it was on the wire, cut to a bounded length, secrets redacted. `bytes` is the length before the cut. */
const bodyEvidence = record({ text, bytes: count, truncated: flag });

const headers = list(record({ name: text, value: text }));

/**
 * In which way an answer deviates: what had to be refused was accepted, or the reverse; the target failed; it gave no
 * answer; the frame of the answer is wrong (its status, a header, its body as a whole); a value in it is.
 */
export const deviations = ['accepted', 'refused', 'failed', 'unanswered', 'frame', 'value'] as const;

/** One request with its `response`, or with the `failure` that left it without an HTTP answer. */
const exchangeSchema = recordBut(['response', 'failure'], {
  /** `endpoint/check#n`: the n-th request of that check. */
  id: ours,
  request: recordBut(['body'], { method: text, url: text, headers, body: bodyEvidence }),
  response: record({ status: integer, headers, body: bodyEvidence }),
  failure: text,
  durationMs: { type: 'number', minimum: 0 },
});

/** The smallest input that was found to show a finding. */
const counterexampleSchema = recordBut(['unit', 'index', 'sent', 'control', 'shrinks'], {
  /** The value of `--path` with which exactly this is sent again. */
  path: text,
  /** The `endpoint/check` whose case it is, where a passive check found it in the traffic of that one. */
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
  /** Its place in the sequence, from 1. Where numbers are missing, requests were left out. */
  number: some,
  exchange: exchangeSchema,
  /** What its answer had at the accused place, as JSON, cut. Absent: nothing. */
  shown: text,
});

/**
 * What is wrong, by kind. What came of a request: it was accepted, refused, failed or not answered, against the
 * specification. The frame of an answer: its status, a header, its body as a whole. A value in it: it is `missing` or
 * `present` where it must not be, has another `type` or breaks another `constraint`, is another `value`; a write is
 * `lost`, what nobody wrote is `changed`, a request that must have no effect left a `trace`, another entity is shown
 * (`swapped`), or two readings `disagree`. Of a client's request: anything outside its body (`request`).
 */
const discrepancyKinds = [
  ...(['accepted', 'refused', 'failed', 'unanswered'] as const),
  ...(['status', 'header', 'body'] as const),
  ...([
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
  ] as const),
  'request',
] as const;

/** What is wrong, as data: `expected` and `actual` of a finding say the same in words. */
const discrepancySchema = recordBut(['expected', 'got', 'constraint'], {
  kind: { enum: discrepancyKinds },
  /** The value that should be shown. Absent: it is long, or more than one would do. */
  expected: {},
  /** The value that is shown. Absent: there is none, or it is long. */
  got: {},
  /** The keyword of JSON Schema that the value breaks, and what it says; of `type` always a list of types. */
  constraint: record({ keyword: ours, limit: {} }),
});

/** One way in which answers broke one requirement. */
export const findingSchema = recordBut(
  ['fault', 'doubt', 'notScored', 'seen', 'timeline', 'counterexample', 'exchange', 'accused', 'steps'],
  {
    requirement: ours,
    /** That of the requirement; SHOULD where there is a doubt. */
    level: { enum: ['MUST', 'SHOULD'] },
    /** Why it is no more than a warning, whatever the level of the requirement. */
    doubt: text,
    /** Why its requirement is no part of the set by which the run is judged: it decides nothing. */
    notScored: { enum: ['added', 'removed', 'challenged'] },
    /** JSON Pointer into the answer's body (or `status`, `header content-type`, `connection` outside it). */
    pointer: text,
    expected: text,
    actual: text,
    /** What is wrong, as data. Absent in the journals of earlier versions, whose findings have no script that judges a value. */
    fault: discrepancySchema,
    /** How many inputs of this check showed the same finding. */
    occurrences: some,
    /** How often the same request showed it again when it was sent again. */
    seen: record({ times: some, of: some }),
    /** Of what was sent at once: the requests with their answers, and what was read afterwards, a line each. */
    timeline: texts,
    counterexample: counterexampleSchema,
    exchange: exchangeSchema,
    /** The value at the pointer, as JSON, cut: where the body of the exchange is cut before it. */
    accused: text,
    /** Of a sequence: its requests in their order, at most twelve, the one of the exchange among them. */
    steps: list(stepSchema),
  },
);

export type BodyEvidence = Infer<typeof bodyEvidence>;
export type Exchange = Infer<typeof exchangeSchema>;
export type Counterexample = Infer<typeof counterexampleSchema>;
export type Step = Infer<typeof stepSchema>;
export type Finding = Infer<typeof findingSchema>;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];
export type Discrepancy = Infer<typeof discrepancySchema>;
export type Deviation = (typeof deviations)[number];
