import type { Schema } from '../dialect.ts';
import { endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { closed, list, record, recordBut } from '../object.ts';
import { deviations, integer, profile } from './evidence.ts';

/**
 * The baseline (`conform.baseline.json`): known defects that do not fail a run, each with its reason. It changes the
 * exit code of a run, never a verdict.
 */

const text = { type: 'string', minLength: 1 } as const satisfies Schema;

/** The last day of an entry, as YYYY-MM-DD in UTC. */
const day = {
  type: 'string',
  minLength: 10,
  maxLength: 10,
  pattern: '^[0-9\\-]*$',
  description: 'The last day, as YYYY-MM-DD in UTC, on which it may still be there.',
} as const satisfies Schema;

/** Fields that explain why a defect, or a difference, may stay. */
export const permission = {
  reason: { ...text, description: 'Why it may be there.' },
  issue: { ...text, description: 'Where its mending is followed.' },
  expires: day,
} as const;

/** The run, or the comparison, that led to an entry. */
export const foundBy = closed(record({ profile, seed: integer }));

/** A known defect: one requirement broken at one place in one way, in one check of one endpoint. */
const knownDefect = closed(
  recordBut(['issue', 'expires', 'found', 'sometimes'], {
    endpoint: { enum: endpointIds, description: 'The endpoint that has it.' },
    check: { ...text, description: 'The check that shows it.' },
    requirement: { ...text, description: 'The requirement that it breaks.' },
    pointer: {
      type: 'string',
      description:
        'JSON Pointer of the accused place, `*` for each position of an array: in the request where the request was accepted, refused or not answered as it must be, else in the answer. Empty: the whole.',
    },
    deviation: { enum: deviations, description: 'The way in which answers deviate.' },
    ...permission,
    found: {
      ...foundBy,
      description: 'The run that showed it. A run that sends less, or with another seed, does not make it stale.',
    },
    sometimes: { const: true, description: 'It is not seen each time: no run makes it stale.' },
  }),
);

export const baselineSchema = closed(
  recordBut(['$schema', 'requirements'], {
    $schema: { type: 'string' },
    version: { const: 2 },
    requirements: { ...text, description: 'The set of requirements of the run that it was last written by.' },
    known: list(knownDefect),
  }),
);

/** A baseline of version 1, whose entries are whole checks. `baseline update` keeps its reasons. */
export const olderBaselineSchema = closed(
  recordBut(['$schema'], {
    $schema: { type: 'string' },
    version: { const: 1 },
    known: list(
      closed(
        recordBut(['issue', 'expires', 'requirements'], {
          check: text,
          ...permission,
          requirements: { type: 'array', items: text },
        }),
      ),
    ),
  }),
);

export type KnownDefect = Infer<typeof knownDefect>;
export type Baseline = Infer<typeof baselineSchema>;
export type OlderBaseline = Infer<typeof olderBaselineSchema>;
