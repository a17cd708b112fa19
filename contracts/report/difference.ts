import { endpoint, endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { closed, list, record, recordBut } from '../object.ts';
import { foundBy, permission } from './baseline.ts';
import { differenceLimits } from './choices.ts';
import { count, flag, ids, integer, level, ours, profile, some, text, texts } from './evidence.ts';

/** What is written of two servers whose behaviour is set side by side: `difference.json`. */

/** The two servers: `a`, to which clients are used, and `b`, which is to take its place. */
const sidesOfDifference = ['a', 'b'] as const;

/**
 * Whose a difference is. `a-breaks` and `b-breaks`: that one breaks a clause and the other one keeps it. `open`: both
 * conform, and an OPEN requirement says that this is left to the server. `unsaid`: both conform, and nothing is said.
 */
const differenceLabels = ['a-breaks', 'b-breaks', 'open', 'unsaid'] as const;

/**
 * In which way two answers to one request differ: one accepts and the other refuses (`outcome`), both refuse with
 * another status, or accept with one (`status`), only one answers (`answered`), only one shows a member (`presence`), a
 * value has another type, is another one, or a list has another order.
 */
const differenceAspects = ['outcome', 'status', 'answered', 'presence', 'type', 'value', 'order'] as const;

/** An answer of one side. Its body is cut to a bounded length, secrets redacted. */
const answerOfSide = recordBut(['status', 'failure', 'body'], {
  status: integer,
  /** Why there is no answer. */
  failure: text,
  body: text,
});

const requestOfSide = recordBut(['body'], { method: text, path: text, body: text });

/** One request to both, and both answers. A side that did not send it has neither. */
const stepOfBoth = recordBut(['requestOfB', 'a', 'b'], {
  /** Its place in the sequence, from 1. */
  number: some,
  /** As A was sent it; as B was, where A was not. */
  request: requestOfSide,
  /** As B was sent it, where the target's own names make it another one. */
  requestOfB: requestOfSide,
  a: answerOfSide,
  b: answerOfSide,
});

/** One place of one operation in which the two differ, however many requests showed it. */
const differencePlace = recordBut(['requirement', 'level', 'lacks', 'statuses'], {
  endpoint,
  /** JSON Pointer into the answer, `*` for each position of an array; `status`, `body`, `header NAME` outside it. */
  pointer: text,
  aspect: { enum: differenceAspects },
  label: { enum: differenceLabels },
  /** The requirement that is broken, or the OPEN one that leaves it to the server. */
  requirement: ours,
  /** How binding the broken requirement is. */
  level,
  /** What each of them shows, in words short enough for a line. */
  a: text,
  b: text,
  /** The side that shows nothing there, where the other one does. */
  lacks: { enum: sidesOfDifference },
  /** The statuses of the answers that show it, where both were asked; a side without one gave no answer. */
  statuses: recordBut(['a', 'b'], { a: integer, b: integer }),
  /** How many aligned requests showed it. */
  occurrences: count,
  /** The smallest sequence of requests that was found to show it. */
  example: record({
    /** The `endpoint/check` and the `--path` of the case. */
    unit: ours,
    path: text,
    title: text,
    /** So many times the sequence was made smaller, and showed it still, on both. */
    shrinks: count,
    steps: list(stepOfBoth),
  }),
});

/** A field that differs from itself, or that the contract says is a clock, a count or a set. */
const noise = record({ endpoint, pointer: text, because: text, count });

/** What a comparison of two recordings came to, before reports make one cause of what one defect explains. */
const comparison = record({
  /** Requests that were aligned, and those of which nothing differed. */
  compared: count,
  alike: count,
  places: list(differencePlace),
  /** Requests that could not be compared, by reason. */
  notCompared: list(record({ because: text, count, endpoints: list(endpoint) })),
  noise: list(noise),
  /** Values that were there before the run and differ: told once, and compared by presence and type alone. */
  start: list(record({ endpoint, pointer: text, count })),
  /** Requirements that both break. */
  shared: list(record({ requirement: ours, endpoints: list(endpoint) })),
});

/** What one side of a comparison was. */
const sideReport = recordBut(['because'], {
  /** A base URL, or the name of the file of a recording. */
  name: text,
  isRecording: flag,
  /** How its last run ended, and why before its end. */
  outcome: ours,
  because: text,
  requests: count,
  /** How often it ran before, to see what differs from itself. */
  noiseRuns: count,
  /** The journal of its run, from which `report` makes its own report. */
  journals: texts,
});

/** One difference, once: the places that one defect, or one choice that is left to servers, explains. */
const differenceReportEntry = recordBut(['level', 'cause', 'acknowledged'], {
  /** `D1`, `D2` … in the order in which to look at them. */
  id: ours,
  label: { enum: differenceLabels },
  level,
  /** The cause of it (`F1`) in the report of the side that breaks a clause. */
  cause: ours,
  /** What differs, in a line. */
  title: text,
  /** The broken requirements, or the OPEN ones; empty where nothing is said. */
  requirements: ids,
  endpoints: list(endpoint),
  /** The one to look at first at the head. */
  places: list(differencePlace),
  acknowledged: recordBut(['issue'], { reason: text, issue: text }),
});

/** How a comparison stands to the file of acknowledged differences. */
const acknowledgedReport = record({
  file: text,
  known: count,
  /** Entries that no difference needs any more: what they are about, where they stand, the reason they give. */
  stale: list(record({ entry: text, line: text, why: text, reason: text })),
  /** Entries of which this comparison says nothing: what they are about, and why. */
  unjudged: list(record({ entry: text, why: text })),
});

/** `difference.json`: two behaviours side by side. */
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
  /** `alike`: nothing beyond what is allowed. `incomplete`: a side died, or nothing could be compared. */
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

/** A difference that may be there, and why. Where nothing needs it any more, it fails the comparison. */
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
    $schema: { type: 'string' },
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
