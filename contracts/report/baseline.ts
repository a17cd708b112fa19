import type { Schema } from '../dialect.ts';
import type { Infer } from '../infer.ts';

/**
 * The baseline (`conform.baseline.json`): known failures that do not fail a run, each with its reason. It changes the
 * exit code of a run, never a verdict.
 */

const text = { type: 'string', minLength: 1 } as const satisfies Schema;

/** One known failure. */
export const knownFailure = {
  type: 'object',
  properties: {
    check: { ...text, description: 'The check that fails, as `endpoint/check`.' },
    reason: { ...text, description: 'Why it may fail.' },
    issue: { ...text, description: 'Where its mending is followed.' },
    expires: {
      type: 'string',
      minLength: 10,
      maxLength: 10,
      pattern: '^[0-9\\-]*$',
      description: 'The last day, as YYYY-MM-DD in UTC, on which it may still fail.',
    },
    requirements: {
      type: 'array',
      items: text,
      description: 'The requirements for which it fails: another one is noticed. Absent: any.',
    },
  },
  required: ['check', 'reason'],
  additionalProperties: false,
} as const satisfies Schema;

export const baselineSchema = {
  type: 'object',
  properties: { $schema: { type: 'string' }, version: { const: 1 }, known: { type: 'array', items: knownFailure } },
  required: ['version', 'known'],
  additionalProperties: false,
} as const satisfies Schema;

export type KnownFailure = Infer<typeof knownFailure>;
export type Baseline = Infer<typeof baselineSchema>;
