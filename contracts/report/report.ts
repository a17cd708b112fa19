import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, ofEach, record, recordBut } from '../object.ts';
import { checkStats, count, findingSchema, flag, integer, level, text, texts } from './evidence.ts';
import {
  learned,
  leftBehind,
  notExercised,
  notice,
  observation,
  plannedEffects,
  runEnd,
  runStart,
  verdicts,
} from './journal.ts';
import { coverageReport } from './ledger.ts';
import { sides, trafficSummary } from './traffic.ts';

/** `report.json`: the whole run, folded from its journal. */

/** How the run ended; `truncated` if its journal has no end. */
const outcomes = ['complete', 'interrupted', 'unreachable', 'error', 'truncated'] as const;
export const requirementVerdicts = [
  'verified',
  'failed',
  'warned',
  'untested',
  'not-observed',
  'not-applicable',
  'not-verifiable',
  'open',
] as const;
const runVerdicts = ['conformant', 'non-conformant', 'incomplete'] as const;
const endpointVerdicts = ['conformant', 'non-conformant', 'incomplete', 'not-applicable'] as const;

const checkReport = recordBut(['because', 'remedy', 'blockedBy', 'moreFindings', 'exercised', 'notScored', 'side'], {
  id: text,
  check: text,
  title: text,
  level,
  requirements: texts,
  verdict: { enum: verdicts },
  because: text,
  remedy: text,
  blockedBy: text,
  findings: list({ ...findingSchema, properties: { ...findingSchema.properties, curl: text, reproduce: text } }),
  /** Number of findings of this check that are not listed. */
  moreFindings: count,
  notExercised: list(notExercised),
  exercised: texts,
  /** None of its requirements are in the requirement set: its verdict does not count. */
  notScored: { const: true },
  stats: checkStats,
  /** The side that it judges in traffic. Absent: the server. */
  side: { enum: sides },
});

const endpointReport = record({
  id: endpoint,
  method: text,
  path: text,
  title: text,
  section: text,
  verdict: { enum: endpointVerdicts },
  checks: list(checkReport),
  stats: checkStats,
});

/**
 * A requirement and its verdict in this run. `failed` and `warned`: a finding cites it. `verified`: a case could have
 * broken it and did not, and every check that verifies it ran to its end. `not-applicable`: its operations were not to
 * be run, or need an undeclared capability. `not-observed`: it concerns something that this target never answered and
 * this run never sent. `untested`: it could have been exercised; the remedy says how, if one is known.
 */
const requirementReport = recordBut(['because', 'remedy', 'notScored'], {
  id: text,
  section: text,
  level: { enum: ['MUST', 'SHOULD', 'OPEN'] },
  statement: text,
  verdict: { enum: requirementVerdicts },
  checks: texts,
  notScored: findingSchema.properties.notScored,
  because: text,
  /** How to have it exercised, for example a line to add to the target file. */
  remedy: text,
});

/**
 * One defect of the target: the findings that it explains, however many checks and endpoints showed it. Causes are
 * sorted by the order in which to mend them: failures before warnings, the greater harm first.
 */
const causeReport = recordBut(['side'], {
  /** `F1`, `F2` … for failures, `W1` … for warnings: the same in every report of a run. */
  id: text,
  kind: { enum: ['fail', 'warn'] },
  /** The side at fault in judged traffic. Absent: the server. */
  side: { enum: sides },
  /** The observed behaviour, and the expected one. */
  title: text,
  /** The requirements that its findings cite; that of the title comes first. */
  requirements: texts,
  endpoints: list(endpoint),
  /** `endpoint/check#n` (the n-th finding of a check); the one to look at first comes first. */
  findings: texts,
  /** The checks that could not be tested because of it. */
  blocked: texts,
});

/** The content of judged traffic, and the verdict of each side: `not-applicable` if nothing of it was judged. */
const trafficReport = record({
  ...trafficSummary.properties,
  sides: record(ofEach(sides, { enum: endpointVerdicts })),
});

/** How a run compares with its baseline. Findings are named `endpoint/check#n`, as in causes. */
const baselineReport = record({
  file: text,
  /** The known failures, each with the reason why it may stay. */
  known: list(recordBut(['issue'], { finding: text, reason: text, issue: text })),
  /** The failures unknown to the baseline, and the checks with unlisted failures. */
  fresh: texts,
  /** Stale entries: their subject, why they are stale, their place in the file (`line 5`), and their own reason. */
  stale: list(record({ entry: text, why: text, place: text, reason: text })),
  /** Entries that this run could not judge: it left their checks out, or could not test them. */
  unjudged: list(record({ entry: text, why: text })),
  /** The checks that could not be tested because of known failures. */
  behind: texts,
});

const { target, tool, profile, requirementSet, options } = runStart.properties;

export const reportSchema = recordBut(
  ['because', 'requirementSet', 'coverage', 'traffic', 'baseline', 'plannedEffects', 'learned', 'causes'],
  {
    version: { const: 2 },
    verdict: { enum: runVerdicts },
    exitCode: integer,
    truncated: flag,
    outcome: { enum: outcomes },
    because: text,
    target,
    tool,
    seed: integer,
    token: text,
    profile,
    requirementSet,
    options,
    startedAt: text,
    stats: recordBut(['extended', 'retries'], {
      ...runEnd.properties.stats.properties,
      checks: record(ofEach(verdicts, count)),
      requirements: record(ofEach(requirementVerdicts, count)),
    }),
    /** For a run of the suite, all shards together. Absent for judged traffic, replays and runs that ended early. */
    coverage: coverageReport,
    /** Present if traffic between others was judged. */
    traffic: trafficReport,
    /** The comparison with the baseline, if there is one. The exit code then takes it into account. */
    baseline: baselineReport,
    /** The defects, one at a time. Absent in reports of older versions. */
    causes: list(causeReport),
    endpoints: list(endpointReport),
    requirements: list(requirementReport),
    observations: list(observation),
    /** The effects of the run, as declared before its first request. */
    plannedEffects: plannedEffects.properties.effects,
    /** The names learned from the target, each once, in order. Absent in reports of older versions. */
    learned: list(learned),
    leftBehind: list(leftBehind),
    notices: list(notice),
  },
);

export type Outcome = (typeof outcomes)[number];
export type RequirementVerdict = (typeof requirementVerdicts)[number];
export type RunVerdict = (typeof runVerdicts)[number];
export type EndpointVerdict = (typeof endpointVerdicts)[number];
export type CheckReport = Infer<typeof checkReport>;
export type EndpointReport = Infer<typeof endpointReport>;
export type RequirementReport = Infer<typeof requirementReport>;
export type { CoverageReport } from './ledger.ts';
export type TrafficReport = Infer<typeof trafficReport>;
export type BaselineReport = Infer<typeof baselineReport>;
export type CauseReport = Infer<typeof causeReport>;
export type Report = Infer<typeof reportSchema>;
