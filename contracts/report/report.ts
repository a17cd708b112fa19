import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { count, findingSchema, flag, integer, level, number, text, texts } from './evidence.ts';
import {
  checkStats,
  learned,
  leftBehind,
  notExercised,
  notice,
  observation,
  plannedEffects,
  retries,
  runStart,
  verdicts,
} from './journal.ts';
import { coverageReport } from './ledger.ts';
import { sides, trafficSummary } from './traffic.ts';

/** `report.json`: the whole run, folded from its journal. */

/** How the run ended; `truncated` where the journal has no end. */
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
  /** How many findings of this check are not listed. */
  moreFindings: count,
  notExercised: list(notExercised),
  exercised: texts,
  /** Nothing that it judges is in the set of requirements: its verdict decides nothing. */
  notScored: { const: true },
  stats: checkStats,
  /** Of judged traffic: whom it judges. Absent: the server. */
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
 * shown it to be broken and did not, and every check that verifies it ran to its end. `not-applicable`: its operations
 * were not to be run, or need a capability that is not declared. `not-observed`: it speaks of what this target never
 * answered and this run never sent. `untested`: it could have been exercised; the remedy says how, where one is known.
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
  /** What to do, or to add to the target file, so that it is exercised. */
  remedy: text,
});

const causeKinds = ['fail', 'warn'] as const;

/**
 * What is wrong with the target, once: the findings that one defect explains, however many checks and endpoints showed
 * it. The causes stand in the order in which to mend them: failures before warnings, the greater harm first.
 */
const causeReport = recordBut(['side'], {
  /** `F1`, `F2` … of failures, `W1` … of warnings: the same in every report of a run. */
  id: text,
  kind: { enum: causeKinds },
  /** Of judged traffic: whose it is. Absent: the server's. */
  side: { enum: sides },
  /** What happened, and what was expected. */
  title: text,
  /** The requirements that its findings cite, that of the title first. */
  requirements: texts,
  endpoints: list(endpoint),
  /** `endpoint/check#n` (the n-th finding of a check), the one to look at first. */
  findings: texts,
  /** The checks that it kept from being tested. */
  blocked: texts,
});

/** What judged traffic held, and the verdict of each side: `not-applicable` where nothing of it was judged. */
const trafficReport = record({
  ...trafficSummary.properties,
  sides: record({ client: { enum: endpointVerdicts }, server: { enum: endpointVerdicts } }),
});

/** How a run compares with its baseline. Findings are named as `endpoint/check#n`, as those of causes are. */
const baselineReport = record({
  file: text,
  /** The failures that the baseline knows, each with why it may be there. */
  known: list(recordBut(['issue'], { finding: text, reason: text, issue: text })),
  /** The failures that it does not know, and the checks whose failures are not all listed. */
  fresh: texts,
  /** Entries that hold no more: what they are about, why, their place in the file (`line 5`), and the reason they give. */
  stale: list(record({ entry: text, why: text, place: text, reason: text })),
  /** Entries of which this run says nothing: it left their checks out, or could not test them. */
  unjudged: list(record({ entry: text, why: text })),
  /** The checks that known failures keep from being tested. */
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
      requests: count,
      retries,
      cases: count,
      /** Of the cases: those that `--time` left room for beyond the profile. */
      extended: count,
      durationMs: number,
      checks: record({ pass: count, fail: count, warn: count, untested: count, 'not-applicable': count, error: count }),
      requirements: record({
        verified: count,
        failed: count,
        warned: count,
        untested: count,
        'not-observed': count,
        'not-applicable': count,
        'not-verifiable': count,
        open: count,
      }),
    }),
    /** Of a run of the suite, all shards together. Absent of judged traffic, of replays, and of what was cut short. */
    coverage: coverageReport,
    /** Where the traffic of others was judged. */
    traffic: trafficReport,
    /** Where the run was judged by a baseline: what of it is known. The exit code is the one that the baseline leaves. */
    baseline: baselineReport,
    /** What is wrong, one defect at a time. Absent in reports of older versions. */
    causes: list(causeReport),
    endpoints: list(endpointReport),
    requirements: list(requirementReport),
    observations: list(observation),
    /** What the run was to change and to create, told before its first request. */
    plannedEffects: plannedEffects.properties.effects,
    /** What the target taught, each once, in the order in which it was learned. Absent in reports of older versions. */
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
