import { answerSchema, type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { requirementAt } from '../../contracts/fields.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';

/** The requirement of a place in an endpoint's request body or in its answer: that of the deepest documented field on the way. */
export function fieldRequirement(endpoint: EndpointId, side: 'body' | 'answer', pointer: string): RequirementId {
  const root = side === 'body' ? endpoints[endpoint].body : answerSchema(endpoint);
  if (root === null) throw new Error(`${endpoint} has no body`);
  return requirementAt(root, 'envelope', pointer);
}
