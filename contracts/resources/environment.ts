import { list, object, record, requiring } from '../object.ts';
import * as annotations from './annotations.ts';
import { flagOf, listOf, nameOf, textOf } from './shared.ts';

/** Environments (sections 2.2 and 4.1). */

/** A plan, a role or a rule (at least one production environment) may keep it unchanged. */
const setting = flagOf(annotations.uncertain);

const fields = {
  name: nameOf('environment'),
  id: nameOf('environment'),
  isProduction: setting,
  requiresReview: setting,
  requiresReleasePipeline: setting,
} as const;

/** An environment in a request. Which fields are required is not shown. */
export const environmentRequest = object({
  ...fields,
  requiredReviewGroupID: textOf({ ...annotations.reference('reviewGroup'), compare: 'never' }),
});

/** An environment in an answer. */
export const environment = requiring('An environment.', fields, [
  'name',
  'id',
  'isProduction',
  'requiresReview',
  'requiresReleasePipeline',
]);

/** The body of Update Environments. */
export const environmentsBody = object({
  environments: listOf(environmentRequest, { compare: 'unordered', varies: 'isProduction=false' }),
});

/** `data` of Update Environments: the whole resulting set. */
export const environmentsData = record({ environments: list(environment) });
