import type { Schema } from '../dialect.ts';
import { endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { findingSchema } from './evidence.ts';

/**
 * The journal: one JSON object a line, written during the run. Every report is made from it. A journal without a
 * `run-end` was cut off.
 */

export const levels = ['MUST', 'SHOULD'] as const;
export const verdicts = ['pass', 'fail', 'warn', 'untested', 'not-applicable', 'error'] as const;
export const profiles = ['quick', 'standard', 'thorough'] as const;

const text = { type: 'string' } as const satisfies Schema;
const count = { type: 'integer', minimum: 0 } as const satisfies Schema;
const texts = { type: 'array', items: text } as const satisfies Schema;
const endpoint = { enum: endpointIds } as const satisfies Schema;
const level = { enum: levels } as const satisfies Schema;

/** One check of one endpoint, as planned. `id` is `endpoint/check`. */
export const plannedCheck = {
  type: 'object',
  properties: { id: text, endpoint, check: text, level, title: text, requirements: texts, lane: text },
  required: ['id', 'endpoint', 'check', 'level', 'title', 'requirements', 'lane'],
} as const satisfies Schema;

export const runStart = {
  type: 'object',
  properties: {
    event: { const: 'run-start' },
    version: { const: 2 },
    tool: {
      type: 'object',
      properties: { name: text, version: text, node: text, 'fast-check': text, faker: text },
      required: ['name', 'version', 'node', 'fast-check', 'faker'],
    },
    target: {
      type: 'object',
      properties: { baseUrl: text, embedded: { type: 'boolean' } },
      required: ['baseUrl', 'embedded'],
    },
    seed: { type: 'integer' },
    /** Marks the names of everything that this run creates. Two runs of one seed differ in it and in timings alone. */
    token: text,
    profile: { enum: profiles },
    options: {
      type: 'object',
      properties: {
        readOnly: { type: 'boolean' },
        strict: { type: 'boolean' },
        only: texts,
        skip: texts,
        config: text,
        path: text,
        /** With `--time`: the duration of the run, in milliseconds. */
        timeMs: { type: 'integer', minimum: 1 },
        shard: {
          type: 'object',
          properties: { index: { type: 'integer', minimum: 1 }, total: { type: 'integer', minimum: 1 } },
          required: ['index', 'total'],
        },
      },
      required: ['readOnly', 'strict', 'only', 'skip'],
    },
    startedAt: text,
    plan: { type: 'array', items: plannedCheck },
  },
  required: ['event', 'version', 'tool', 'target', 'seed', 'token', 'profile', 'options', 'startedAt', 'plan'],
} as const satisfies Schema;

export const checkStart = {
  type: 'object',
  properties: { event: { const: 'check-start' }, id: text },
  required: ['event', 'id'],
} as const satisfies Schema;

/** A field of an endpoint that was not exercised, why, and the line of the target file that would change that. */
export const notExercised = {
  type: 'object',
  properties: { field: text, because: text, remedy: text },
  required: ['field', 'because'],
} as const satisfies Schema;

export const checkStats = {
  type: 'object',
  properties: { cases: count, requests: count, accepted: count, refused: count, durationMs: { type: 'number' } },
  required: ['cases', 'requests', 'accepted', 'refused', 'durationMs'],
} as const satisfies Schema;

export const checkEnd = {
  type: 'object',
  properties: {
    event: { const: 'check-end' },
    id: text,
    /** True where the check was extended after its end: this replaces its earlier `check-end`. */
    replaces: { const: true },
    endpoint,
    check: text,
    level,
    verdict: { enum: verdicts },
    /** Why it is untested, not applicable or an error. */
    because: text,
    /** What to do, or to add to the target file, so that it can be tested. */
    remedy: text,
    /** The check that kept this one from being tested. */
    blockedBy: text,
    findings: { type: 'array', items: findingSchema },
    notExercised: { type: 'array', items: notExercised },
    /** Of the requirements that it cites, those that this run exercised. Absent: all of them. */
    exercised: texts,
    stats: checkStats,
  },
  required: ['event', 'id', 'endpoint', 'check', 'level', 'verdict', 'findings', 'notExercised', 'stats'],
} as const satisfies Schema;

/** What the target does where the specification leaves it open. Never judged. */
export const observation = {
  type: 'object',
  properties: { event: { const: 'observation' }, requirement: text, endpoint, subject: text, value: text, count },
  required: ['event', 'requirement', 'subject', 'value'],
} as const satisfies Schema;

/**
 * A fixture as it was before the run, as the request that restores it: written before the first write, so that even a
 * killed run can be undone. The body uses the names of the specification.
 */
export const snapshot = {
  type: 'object',
  properties: {
    event: { const: 'snapshot' },
    endpoint,
    /** Value of the path parameter, not encoded; absent where the operation has none. */
    param: text,
    body: { type: 'object' },
  },
  required: ['event', 'endpoint', 'body'],
} as const satisfies Schema;

/** Something that the run left on the target and that the API cannot remove. */
export const leftBehind = {
  type: 'object',
  properties: { event: { const: 'left-behind' }, endpoint, kind: text, id: text, what: text },
  required: ['event', 'endpoint', 'kind', 'id', 'what'],
} as const satisfies Schema;

/** A notice about the whole run: the key was refused everywhere, the target stopped answering, little was tested. */
export const notice = {
  type: 'object',
  properties: { event: { const: 'notice' }, severity: { enum: ['info', 'warning'] }, text, remedy: text },
  required: ['event', 'severity', 'text'],
} as const satisfies Schema;

export const runEnd = {
  type: 'object',
  properties: {
    event: { const: 'run-end' },
    outcome: { enum: ['complete', 'interrupted', 'unreachable', 'error'] },
    because: text,
    stats: {
      type: 'object',
      properties: {
        requests: count,
        cases: count,
        /** Of the cases: those that `--time` left room for beyond the profile. */
        extended: count,
        durationMs: { type: 'number' },
      },
      required: ['requests', 'cases', 'durationMs'],
    },
  },
  required: ['event', 'outcome', 'stats'],
} as const satisfies Schema;

/** The progress of a run with `--time` that extends its profile. For display: journal files do not have it. */
export const progress = {
  type: 'object',
  properties: {
    event: { const: 'progress' },
    requests: count,
    extended: count,
    elapsedMs: { type: 'number' },
    timeMs: { type: 'number' },
  },
  required: ['event', 'requests', 'extended', 'elapsedMs', 'timeMs'],
} as const satisfies Schema;

/** Any line of a journal. */
export const runEvent = {
  anyOf: [runStart, snapshot, checkStart, checkEnd, observation, leftBehind, notice, progress, runEnd],
} as const satisfies Schema;

export type Level = (typeof levels)[number];
export type Verdict = (typeof verdicts)[number];
export type Profile = (typeof profiles)[number];
export type PlannedCheck = Infer<typeof plannedCheck>;
export type NotExercised = Infer<typeof notExercised>;
export type CheckStats = Infer<typeof checkStats>;
export type RunStart = Infer<typeof runStart>;
export type FixtureSnapshot = Infer<typeof snapshot>;
export type CheckStart = Infer<typeof checkStart>;
export type CheckEnd = Infer<typeof checkEnd>;
export type Observation = Infer<typeof observation>;
export type LeftBehind = Infer<typeof leftBehind>;
export type Notice = Infer<typeof notice>;
export type RunEnd = Infer<typeof runEnd>;
export type Progress = Infer<typeof progress>;
export type RunEvent =
  | RunStart
  | FixtureSnapshot
  | CheckStart
  | CheckEnd
  | Observation
  | LeftBehind
  | Notice
  | Progress
  | RunEnd;
