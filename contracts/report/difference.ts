import { endpoint, endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { closed, list, record, recordBut } from '../object.ts';
import { foundBy, permission } from './baseline.ts';
import { differenceLimits } from './choices.ts';
import { count, flag, ids, integer, level, ours, profile, some, text, texts } from './evidence.ts';

/** The file `difference.json`: the result of comparing two servers. */

/** The two servers: `a`, which clients use today, and `b`, which is to replace it. */
const sidesOfDifference = ['a', 'b'] as const;

/**
 * Who causes a difference. `a-breaks` and `b-breaks`: that side breaks a clause and the other keeps it. `open`: both
 * conform, and an OPEN requirement leaves the choice to the server. `unsaid`: both conform, and the specification says
 * nothing.
 */
const differenceLabels = ['a-breaks', 'b-breaks', 'open', 'unsaid'] as const;

/**
 * How two answers to one request differ. One accepts and the other refuses (`outcome`), or both do the same with
 * another status (`status`). Only one answers (`answered`), or only one shows a member (`presence`). A value has
 * another type, or is another one, or a list has another order.
 */
const differenceAspects = ['outcome', 'status', 'answered', 'presence', 'type', 'value', 'order'] as const;

/** An answer of one side. Its body is truncated to a bounded length, secrets redacted. */
const answerOfSide = recordBut(['status', 'failure', 'body'], {
  status: integer,
  /** Why there is no answer. */
  failure: text,
  body: text,
});

const requestOfSide = recordBut(['body'], { method: text, path: text, body: text });

/** A request to both sides, and both answers. A side that did not send it has no answer. */
const stepOfBoth = recordBut(['requestOfB', 'a', 'b'], {
  /** Its place in the sequence, from 1. */
  number: some,
  /** The request to A; that to B if A did not get it. */
  request: requestOfSide,
  /** The request to B, if the target's own names make it differ. */
  requestOfB: requestOfSide,
  a: answerOfSide,
  b: answerOfSide,
});

/** A place of an operation in which the two differ, however many requests showed it. */
const differencePlace = recordBut(['requirement', 'level', 'lacks', 'statuses'], {
  endpoint,
  /** JSON Pointer into the answer, `*` for each position of an array; `status`, `body`, `header NAME` outside it. */
  pointer: text,
  aspect: { enum: differenceAspects },
  label: { enum: differenceLabels },
  /** The broken requirement, or the OPEN one that leaves the choice to the server. */
  requirement: ours,
  /** How binding the broken requirement is. */
  level,
  /** The behaviour of each side, in words short enough for a line. */
  a: text,
  b: text,
  /** The side that shows nothing there while the other does. */
  lacks: { enum: sidesOfDifference },
  /** The statuses of the differing answers, if both sides were asked; a side without one gave no answer. */
  statuses: recordBut(['a', 'b'], { a: integer, b: integer }),
  /** Number of request pairs that showed it. */
  occurrences: count,
  /** The smallest known sequence of requests that shows it. */
  example: record({
    /** The `endpoint/check` and the `--path` of the case. */
    unit: ours,
    path: text,
    title: text,
    /** How many times the sequence was shrunk while both sides still showed it. */
    shrinks: count,
    steps: list(stepOfBoth),
  }),
});

/** A field that differs between runs of one server, or that the contract calls a clock, a count or a set. */
const noise = record({ endpoint, pointer: text, because: text, count });

/** The result of comparing two recordings, before reports merge places with one cause. */
const comparison = record({
  /** Number of request pairs, and of those without a difference. */
  compared: count,
  alike: count,
  places: list(differencePlace),
  /** Requests that could not be compared, by reason. */
  notCompared: list(record({ because: text, count, endpoints: list(endpoint) })),
  noise: list(noise),
  /** Differing values from before the run: reported once, and compared only by presence and type. */
  start: list(record({ endpoint, pointer: text, count })),
  /** Requirements that both sides break. */
  shared: list(record({ requirement: ours, endpoints: list(endpoint) })),
});

/** One side of a comparison. */
const sideReport = recordBut(['because', 'notPutBack'], {
  /** A base URL, or the name of the file of a recording. */
  name: text,
  isRecording: flag,
  /** How its last run ended, and why it ended early. */
  outcome: ours,
  because: text,
  requests: count,
  /** What its last run could not put back, each with the request that would. Absent: nothing. */
  notPutBack: list(record({ kind: ours, id: text, what: text, send: text })),
  /** How many times it ran before, to find what differs between its own runs. */
  noiseRuns: count,
  /** The journals of its runs, the last run's first; `report` makes a report of one. */
  journals: texts,
});

/** A difference between the servers: all places explained by one defect, or by one choice left to servers. */
const differenceReportEntry = recordBut(['level', 'cause', 'acknowledged'], {
  /** `D1`, `D2` … in the order in which to look at them. */
  id: ours,
  label: { enum: differenceLabels },
  level,
  /** Its cause (`F1`) in the report of the side that breaks a clause. */
  cause: ours,
  /** The difference in one line. */
  title: text,
  /** The broken requirements, or the OPEN ones; empty if the specification says nothing. */
  requirements: ids,
  endpoints: list(endpoint),
  /** The first place is the one to look at first. */
  places: list(differencePlace),
  acknowledged: recordBut(['issue'], { reason: text, issue: text }),
});

/** How a comparison relates to the file of acknowledged differences. */
const acknowledgedReport = record({
  file: text,
  known: count,
  /** Entries without a difference: their subject, their lines, why they are stale, and the reason that they give. */
  stale: list(record({ entry: text, line: text, why: text, reason: text })),
  /** Entries that this comparison could not judge: their subject, and why. */
  unjudged: list(record({ entry: text, why: text })),
});

/** `difference.json`: the behaviour of two servers side by side. */
export const differenceReport = recordBut(['acknowledged', 'because'], {
  version: { const: 1 },
  tool: record({ name: text, version: text }),
  a: sideReport,
  b: sideReport,
  seed: integer,
  profile,
  options: record({
    failOn: { enum: differenceLimits },
    sameStart: flag,
    readOnly: flag,
    only: texts,
    skip: texts,
  }),
  /** `alike`: no difference beyond the allowed ones. `incomplete`: a side died, or nothing could be compared. */
  verdict: { enum: ['alike', 'different', 'incomplete'] },
  because: text,
  exitCode: integer,
  counts: record({ compared: count, alike: count }),
  differences: list(differenceReportEntry),
  notCompared: comparison.properties.notCompared,
  noise: comparison.properties.noise,
  start: comparison.properties.start,
  shared: comparison.properties.shared,
  acknowledged: acknowledgedReport,
});

/** A difference that may exist, and why. An entry without a difference fails the comparison. */
const acknowledgedDifference = closed(
  recordBut(['requirement', 'issue', 'expires', 'found', 'sometimes'], {
    endpoint: { enum: endpointIds, description: 'The endpoint at which the two differ.' },
    pointer: {
      type: 'string',
      description:
        'JSON Pointer into the answer, `*` for each position of an array; `status`, `body` or `header NAME`.',
    },
    aspect: { enum: differenceAspects, description: 'The way in which the answers differ.' },
    label: { enum: differenceLabels, description: 'Whose the difference is.' },
    requirement: { ...text, description: 'The requirement that is broken, or the one that leaves it open.' },
    ...permission,
    found: {
      ...foundBy,
      description: 'The comparison that showed it. One that sends less, or with another seed, does not make it stale.',
    },
    sometimes: { const: true, description: 'It is not seen each time: no comparison makes it stale.' },
  }),
);

/** The file of acknowledged differences (`conform.differences.json`). */
export const acknowledgedSchema = closed(
  recordBut(['$schema'], {
    $schema: text,
    version: { const: 1 },
    acknowledged: list(acknowledgedDifference),
  }),
);

export type SideOfDifference = (typeof sidesOfDifference)[number];
export type DifferenceLabel = (typeof differenceLabels)[number];
export type DifferenceAspect = (typeof differenceAspects)[number];
export type DifferenceLimit = (typeof differenceLimits)[number];
export type AnswerOfSide = Infer<typeof answerOfSide>;
export type StepOfBoth = Infer<typeof stepOfBoth>;
export type DifferencePlace = Infer<typeof differencePlace>;
export type Noise = Infer<typeof noise>;
export type Comparison = Infer<typeof comparison>;
export type SideReport = Infer<typeof sideReport>;
export type DifferenceReport = Infer<typeof differenceReport>;
export type DifferenceReportEntry = Infer<typeof differenceReportEntry>;
export type AcknowledgedDifference = Infer<typeof acknowledgedDifference>;
export type Acknowledged = Infer<typeof acknowledgedSchema>;
