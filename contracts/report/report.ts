import type { Schema } from '../dialect.ts';
import { endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { findingSchema } from './evidence.ts';
import { checkStats, leftBehind, levels, notExercised, notice, observation, runStart, verdicts } from './journal.ts';

/** `report.json`: the whole run, folded from its journal. */

const text = { type: 'string' } as const satisfies Schema;
const count = { type: 'integer', minimum: 0 } as const satisfies Schema;

/** How the run ended; `truncated` where the journal has no end. */
export const outcomes = ['complete', 'interrupted', 'unreachable', 'error', 'truncated'] as const;
export const requirementVerdicts = ['verified', 'failed', 'warned', 'untested', 'not-verifiable', 'open'] as const;
export const runVerdicts = ['conformant', 'non-conformant', 'incomplete'] as const;
export const endpointVerdicts = ['conformant', 'non-conformant', 'incomplete', 'not-applicable'] as const;

export const checkReport = {
  type: 'object',
  properties: {
    id: text,
    check: text,
    title: text,
    level: { enum: levels },
    requirements: { type: 'array', items: text },
    verdict: { enum: verdicts },
    because: text,
    remedy: text,
    blockedBy: text,
    findings: {
      type: 'array',
      items: {
        ...findingSchema,
        properties: { ...findingSchema.properties, curl: text, reproduce: text },
      },
    },
    /** How many findings of this check are not listed. */
    moreFindings: count,
    notExercised: { type: 'array', items: notExercised },
    exercised: { type: 'array', items: text },
    stats: checkStats,
  },
  required: ['id', 'check', 'title', 'level', 'requirements', 'verdict', 'findings', 'notExercised', 'stats'],
} as const satisfies Schema;

export const endpointReport = {
  type: 'object',
  properties: {
    id: { enum: endpointIds },
    method: text,
    path: text,
    title: text,
    section: text,
    verdict: { enum: endpointVerdicts },
    checks: { type: 'array', items: checkReport },
    stats: checkStats,
  },
  required: ['id', 'method', 'path', 'title', 'section', 'verdict', 'checks', 'stats'],
} as const satisfies Schema;

/**
 * A requirement and its verdict in this run. `failed` and `warned`: a finding cites it. `untested`: a check that
 * verifies it did not run to its end, or none was planned. `verified`: every such check ran to its end and found
 * nothing.
 */
export const requirementReport = {
  type: 'object',
  properties: {
    id: text,
    section: text,
    level: { enum: ['MUST', 'SHOULD', 'OPEN'] },
    statement: text,
    verdict: { enum: requirementVerdicts },
    checks: { type: 'array', items: text },
    because: text,
  },
  required: ['id', 'section', 'level', 'statement', 'verdict', 'checks'],
} as const satisfies Schema;

export const reportSchema = {
  type: 'object',
  properties: {
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
    stats: {
      type: 'object',
      properties: {
        requests: count,
        cases: count,
        /** Of the cases: those that `--time` left room for beyond the profile. */
        extended: count,
        durationMs: { type: 'number' },
        checks: {
          type: 'object',
          properties: {
            pass: count,
            fail: count,
            warn: count,
            untested: count,
            'not-applicable': count,
            error: count,
          },
          required: verdicts,
        },
        requirements: {
          type: 'object',
          properties: {
            verified: count,
            failed: count,
            warned: count,
            untested: count,
            'not-verifiable': count,
            open: count,
          },
          required: requirementVerdicts,
        },
      },
      required: ['requests', 'cases', 'durationMs', 'checks', 'requirements'],
    },
    endpoints: { type: 'array', items: endpointReport },
    requirements: { type: 'array', items: requirementReport },
    observations: { type: 'array', items: observation },
    leftBehind: { type: 'array', items: leftBehind },
    notices: { type: 'array', items: notice },
  },
  required: [
    'version',
    'verdict',
    'exitCode',
    'truncated',
    'outcome',
    'target',
    'tool',
    'seed',
    'token',
    'profile',
    'options',
    'startedAt',
    'stats',
    'endpoints',
    'requirements',
    'observations',
    'leftBehind',
    'notices',
  ],
} as const satisfies Schema;

export type Outcome = (typeof outcomes)[number];
export type RequirementVerdict = (typeof requirementVerdicts)[number];
export type RunVerdict = (typeof runVerdicts)[number];
export type EndpointVerdict = (typeof endpointVerdicts)[number];
export type CheckReport = Infer<typeof checkReport>;
export type EndpointReport = Infer<typeof endpointReport>;
export type RequirementReport = Infer<typeof requirementReport>;
export type Report = Infer<typeof reportSchema>;
