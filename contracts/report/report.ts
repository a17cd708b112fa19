import { endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { count, findingSchema, text } from './evidence.ts';
import {
  checkStats,
  leftBehind,
  levels,
  notExercised,
  notice,
  observation,
  retries,
  runStart,
  verdicts,
} from './journal.ts';

/** `report.json`: the whole run, folded from its journal. */

/** How the run ended; `truncated` where the journal has no end. */
export const outcomes = ['complete', 'interrupted', 'unreachable', 'error', 'truncated'] as const;
export const requirementVerdicts = ['verified', 'failed', 'warned', 'untested', 'not-verifiable', 'open'] as const;
export const runVerdicts = ['conformant', 'non-conformant', 'incomplete'] as const;
export const endpointVerdicts = ['conformant', 'non-conformant', 'incomplete', 'not-applicable'] as const;

export const checkReport = recordBut(['because', 'remedy', 'blockedBy', 'moreFindings', 'exercised'], {
  id: text,
  check: text,
  title: text,
  level: { enum: levels },
  requirements: list(text),
  verdict: { enum: verdicts },
  because: text,
  remedy: text,
  blockedBy: text,
  findings: list({ ...findingSchema, properties: { ...findingSchema.properties, curl: text, reproduce: text } }),
  /** How many findings of this check are not listed. */
  moreFindings: count,
  notExercised: list(notExercised),
  exercised: list(text),
  stats: checkStats,
});

export const endpointReport = record({
  id: { enum: endpointIds },
  method: text,
  path: text,
  title: text,
  section: text,
  verdict: { enum: endpointVerdicts },
  checks: list(checkReport),
  stats: checkStats,
});

/**
 * A requirement and its verdict in this run. `failed` and `warned`: a finding cites it. `untested`: a check that
 * verifies it did not run to its end, or none was planned. `verified`: every such check ran to its end and found
 * nothing.
 */
export const requirementReport = recordBut(['because'], {
  id: text,
  section: text,
  level: { enum: ['MUST', 'SHOULD', 'OPEN'] },
  statement: text,
  verdict: { enum: requirementVerdicts },
  checks: list(text),
  because: text,
});

export const reportSchema = recordBut(['because'], {
  version: { const: 2 },
  verdict: { enum: runVerdicts },
  exitCode: { type: 'integer' },
  truncated: { type: 'boolean' },
  outcome: { enum: outcomes },
  because: text,
  target: runStart.properties.target,
  tool: runStart.properties.tool,
  seed: { type: 'integer' },
  token: text,
  profile: runStart.properties.profile,
  options: runStart.properties.options,
  startedAt: text,
  stats: recordBut(['extended', 'retries'], {
    requests: count,
    retries,
    cases: count,
    /** Of the cases: those that `--time` left room for beyond the profile. */
    extended: count,
    durationMs: { type: 'number' },
    checks: record({ pass: count, fail: count, warn: count, untested: count, 'not-applicable': count, error: count }),
    requirements: record({
      verified: count,
      failed: count,
      warned: count,
      untested: count,
      'not-verifiable': count,
      open: count,
    }),
  }),
  endpoints: list(endpointReport),
  requirements: list(requirementReport),
  observations: list(observation),
  leftBehind: list(leftBehind),
  notices: list(notice),
});

export type Outcome = (typeof outcomes)[number];
export type RequirementVerdict = (typeof requirementVerdicts)[number];
export type RunVerdict = (typeof runVerdicts)[number];
export type EndpointVerdict = (typeof endpointVerdicts)[number];
export type CheckReport = Infer<typeof checkReport>;
export type EndpointReport = Infer<typeof endpointReport>;
export type RequirementReport = Infer<typeof requirementReport>;
export type Report = Infer<typeof reportSchema>;
