import type { Schema } from '../dialect.ts';
import * as annotations from './annotations.ts';
import { flag } from './shared.ts';

/** Environments (sections 2.2 and 4.1). */

const fields = {
  name: { type: 'string', annotation: annotations.environment },
  id: { type: 'string', annotation: annotations.environment },
  isProduction: flag,
  requiresReview: flag,
  requiresReleasePipeline: flag,
} as const;

/** An environment in a request. Which fields are required is not shown. */
export const environmentRequest = {
  type: 'object',
  properties: {
    ...fields,
    requiredReviewGroupID: {
      type: 'string',
      annotation: { semantics: 'reference', refersTo: 'reviewGroup', compare: 'never' },
    },
  },
} as const satisfies Schema;

/** An environment in an answer. */
export const environment = {
  type: 'object',
  description: 'An environment.',
  properties: fields,
  required: ['name', 'id', 'isProduction', 'requiresReview', 'requiresReleasePipeline'],
} as const satisfies Schema;

/** The body of Update Environments. */
export const environmentsBody = {
  type: 'object',
  properties: { environments: { type: 'array', items: environmentRequest, annotation: { compare: 'unordered' } } },
} as const satisfies Schema;

/** `data` of Update Environments: the whole resulting set. */
export const environmentsData = {
  type: 'object',
  properties: { environments: { type: 'array', items: environment } },
  required: ['environments'],
} as const satisfies Schema;
