import type { Schema } from '../dialect.ts';
import { endpoint, endpointIds } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { closed, list, record, recordBut } from '../object.ts';
import { deviations, filled, integer, profile, text } from './evidence.ts';

/**
 * The baseline (`conform.baseline.json`): known defects that do not fail a run, each with its reason. It changes the
 * exit code of a run, never a verdict.
 */

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
  reason: { ...filled, description: 'Why it may be there.' },
  issue: { ...filled, description: 'Where its mending is followed.' },
  expires: day,
} as const;

/** The run, or the comparison, that led to an entry. */
export const foundBy = closed(record({ profile, seed: integer }));

/** A known defect: one requirement broken at one place in one way, in one check of one endpoint. */
const knownDefect = closed(
  recordBut(['issue', 'expires', 'found', 'sometimes'], {
    endpoint: { enum: endpointIds, description: 'The endpoint that has it.' },
    check: { ...filled, description: 'The check that shows it.' },
    requirement: { ...filled, description: 'The requirement that it breaks.' },
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
    $schema: text,
    version: { const: 2 },
    requirements: { ...filled, description: 'The set of requirements of the run that it was last written by.' },
    known: list(knownDefect),
  }),
);

/** A baseline of version 1, whose entries are whole checks. `baseline update` keeps its reasons. */
export const olderBaselineSchema = closed(
  recordBut(['$schema'], {
    $schema: text,
    version: { const: 1 },
    known: list(
      closed(
        recordBut(['issue', 'expires', 'requirements'], {
          check: filled,
          ...permission,
          requirements: list(filled),
        }),
      ),
    ),
  }),
);

export type KnownDefect = Infer<typeof knownDefect>;
export type Baseline = Infer<typeof baselineSchema>;
export type OlderBaseline = Infer<typeof olderBaselineSchema>;

/** The breaches that the tests of a client make on purpose (`--expect-breach`). */
export const expectedBreachesSchema = recordBut(['$schema'], {
  $schema: text,
  expected: list(
    recordBut(['endpoint', 'pointer', 'reason'], {
      /** The broken requirement of clients: `client.body-constraint`. */
      requirement: text,
      /** The operation; absent: any. */
      endpoint,
      /** The place in the request, as a report has it (`/name`, `path`); absent: any. */
      pointer: text,
      /** Why the client sends it. */
      reason: text,
    }),
  ),
});

export type ExpectedBreaches = Infer<typeof expectedBreachesSchema>;
