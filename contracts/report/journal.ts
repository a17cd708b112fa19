import type { Schema } from '../dialect.ts';
import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { learnableKinds } from '../target.ts';
import {
  checkStats,
  count,
  findingSchema,
  flag,
  ids,
  integer,
  level,
  number,
  ours,
  percent,
  profile,
  some,
  text,
} from './evidence.ts';
import { cellsEvent } from './ledger.ts';
import { sides, trafficOptions, trafficSummary } from './traffic.ts';

/** The journal: one JSON object a line, written during the run for reports. Without `run-end` it is truncated. */

export const verdicts = ['pass', 'fail', 'warn', 'untested', 'not-applicable', 'error'] as const;

/** One check of one endpoint, as planned. `id` is `endpoint/check`. */
const plannedCheck = recordBut(['side'], {
  id: ours,
  endpoint,
  check: ours,
  level,
  title: ours,
  requirements: ids,
  lane: ours,
  side: { enum: sides },
});

export const runStart = recordBut(['requirementSet'], {
  event: { const: 'run-start' },
  version: { const: 2 },
  tool: record({ name: ours, version: ours, node: ours, 'fast-check': ours, faker: ours }),
  target: record({ baseUrl: text, embedded: flag }),
  seed: integer,
  /** Marks the names of everything that this run creates. Runs with the same seed differ only in it and in timings. */
  token: ours,
  profile,
  requirementSet: record({ name: ours, hash: ours, errata: count }),
  options: recordBut(['config', 'journal', 'path', 'timeMs', 'shard', 'minCoverage', 'bail', 'traffic'], {
    readOnly: flag,
    strict: flag,
    only: ids,
    skip: ids,
    config: text,
    /** The file of this journal: a later run takes from it what this one learned. */
    journal: text,
    path: text,
    /** With `--time`: the duration of the run, in milliseconds. */
    timeMs: some,
    /** The minimum coverage of the whole run, in percent. */
    minCoverage: percent,
    /** The number of causes of failures after which the run was to end. */
    bail: some,
    shard: record({ index: some, total: some }),
    traffic: trafficOptions,
  }),
  startedAt: ours,
  plan: list(plannedCheck),
});

const checkStart = record({ event: { const: 'check-start' }, id: ours });

/** A field of an endpoint that was not exercised, why, and the line of the target file that would change that. */
export const notExercised = recordBut(['remedy', 'requirements', 'capability'], {
  field: text,
  because: text,
  remedy: text,
  /** The requirements that this check therefore did not exercise. */
  requirements: ids,
  /** The undeclared capability that the field needs: the field does not apply. */
  capability: ours,
});

const checkEnd = recordBut(['replaces', 'because', 'remedy', 'blockedBy', 'leftOut', 'exercised'], {
  event: { const: 'check-end' },
  id: ours,
  /** True if the check was extended after its end; this event replaces its earlier `check-end`. */
  replaces: { const: true },
  endpoint,
  check: ours,
  level,
  verdict: { enum: verdicts },
  /** Why it is untested, not applicable or an error. */
  because: text,
  /** How to make it testable, for example a line to add to the target file. */
  remedy: text,
  /** The check that kept this one from being tested. */
  blockedBy: ours,
  findings: list(findingSchema),
  /** The number of violations of kinds that `findings` lacks, because it is bounded. Absent: it lacks none. */
  leftOut: record({ failures: count, warnings: count }),
  notExercised: list(notExercised),
  /** The cited requirements that this run could have shown to be broken. Absent: all of them. */
  exercised: ids,
  stats: checkStats,
});

/** The behaviour of the target in a point that the specification leaves open. Never judged. */
export const observation = recordBut(['endpoint', 'count'], {
  event: { const: 'observation' },
  requirement: ours,
  endpoint,
  subject: text,
  value: text,
  count,
});

/**
 * A fixture as it was before the run, as the request that restores it. Written before the first write, so that even a
 * killed run can be undone. The body uses the names of the specification.
 */
const snapshot = recordBut(['param'], {
  event: { const: 'snapshot' },
  endpoint,
  /** Value of the path parameter, not encoded; absent if the operation has none. */
  param: text,
  body: { type: 'object' },
});

/**
 * A name learned from an answer of the target, in the form of the target file. Written before anything is planned with
 * it. Written again with `refusedBy` if the target refuses it; later plans then avoid it.
 */
export const learned = recordBut(['heldBy', 'refusedBy'], {
  event: { const: 'learned' },
  kind: { enum: learnableKinds },
  /** An object for users, assignment sources and metrics, else a text. */
  value: {},
  /** The answer that showed it: operation, entity, field. */
  origin: text,
  /** The only entity to which it is sent back: its kind and name. Absent: usable wherever this kind is needed. */
  heldBy: text,
  /** The `endpoint/check` whose requests with it were refused, or `learning`. */
  refusedBy: ids,
});

/**
 * The effects of a run on its target, written before its first request: entities changed for good, things created that
 * the API cannot remove (`most`: their maximum number), and entities changed and put back.
 */
export const plannedEffects = record({
  event: { const: 'planned-effects' },
  effects: list(
    recordBut(['id', 'most'], {
      effect: { enum: ['changed-for-good', 'created', 'put-back'] },
      endpoint,
      kind: ours,
      /** The entity; absent if the operation replaces a whole set, or the name is made during the run. */
      id: text,
      what: text,
      most: count,
    }),
  ),
});

/**
 * Something that the run left on the target and that the API cannot remove. `count`: number of things (absent: one).
 * `perhaps`: how many more may exist because answers got lost. `send`: the request that would put back what the run
 * could not.
 */
export const leftBehind = recordBut(['count', 'perhaps', 'send'], {
  event: { const: 'left-behind' },
  endpoint,
  kind: ours,
  id: text,
  what: text,
  count,
  perhaps: count,
  send: text,
});

/** A notice about the whole run: the key was refused everywhere, the target stopped answering, little was tested. */
export const notice = recordBut(['remedy'], {
  event: { const: 'notice' },
  severity: { enum: ['info', 'warning'] },
  text,
  remedy: text,
});

/**
 * Requests that were repeated, except those that the target asked to postpone: because a reused connection was closed
 * before the first byte of an answer (RFC 9110 section 9.2.2), or after a 502, 503 or 504 that did not recur in three
 * tries. Absent: none.
 */
const retries = record({ closedConnections: count, gatewayErrors: count });

export const runEnd = recordBut(['because'], {
  event: { const: 'run-end' },
  outcome: { enum: ['complete', 'interrupted', 'unreachable', 'error'] },
  because: text,
  stats: recordBut(['extended', 'retries'], {
    requests: count,
    retries,
    cases: count,
    /** The cases beyond the profile, which `--time` left room for. */
    extended: count,
    durationMs: number,
  }),
});

/** The progress of a run with `--time` beyond its profile. Only for display: journal files omit it. */
const progress = record({
  event: { const: 'progress' },
  requests: count,
  extended: count,
  elapsedMs: number,
  timeMs: number,
});

/** Any line of a journal. */
export const runEvent = {
  anyOf: [
    runStart,
    plannedEffects,
    snapshot,
    learned,
    checkStart,
    checkEnd,
    observation,
    leftBehind,
    notice,
    cellsEvent,
    trafficSummary,
    progress,
    runEnd,
  ],
} as const satisfies Schema;

export type { Level, Profile } from './choices.ts';
export type Verdict = (typeof verdicts)[number];
export type PlannedCheck = Infer<typeof plannedCheck>;
export type NotExercised = Infer<typeof notExercised>;
export type CheckStats = Infer<typeof checkStats>;
export type RunStart = Infer<typeof runStart>;
export type FixtureSnapshot = Infer<typeof snapshot>;
export type CheckEnd = Infer<typeof checkEnd>;
export type Observation = Infer<typeof observation>;
export type PlannedEffects = Infer<typeof plannedEffects>;
export type PlannedEffect = PlannedEffects['effects'][number];
export type Learned = Infer<typeof learned>;
export type LeftBehind = Infer<typeof leftBehind>;
export type Notice = Infer<typeof notice>;
export type RunEnd = Infer<typeof runEnd>;
export type RunEvent = Infer<typeof runEvent>;
