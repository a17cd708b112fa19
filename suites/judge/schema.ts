import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { answerSchema, type EndpointId } from '../../contracts/endpoints.ts';
import { requirementAt } from '../../contracts/fields.ts';
import { isObject } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { isValid } from '../../contracts/validation.ts';

/** Returns the requirement of a place in a request body: that of the deepest documented field on the way. */
export function bodyRequirement({ body, path }: Endpoint, pointer: string): RequirementId {
  if (body === null) throw new Error(`${path} has no body`);
  return requirementAt(body, 'envelope', pointer);
}

/** Returns the requirement of a place in a whole answer: that of the deepest documented field on the way. */
export const answerRequirement = (endpoint: EndpointId, pointer: string): RequirementId =>
  requirementAt(answerSchema(endpoint), 'envelope', pointer);

/** True if a value contains, at any depth, an object for which the schema requires members. */
export function hasRequired(value: unknown, schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(branch => hasRequired(value, branch));
  if (Array.isArray(value)) {
    const { items } = schema;
    return items !== undefined && value.some(item => hasRequired(item, items));
  }
  if (!isObject(value)) return false;
  if ((schema.required?.length ?? 0) > 0) return true;
  return Object.entries(schema.properties ?? {}).some(
    ([name, node]) => Object.hasOwn(value, name) && hasRequired(value[name], node),
  );
}

/** Several passive checks ask about one sent body. */
const isKept = memoized((body: ObjectSchema) => memoized((sent: object) => ({ isValid: isValid(body, sent) })));

/** True if a sent body keeps the schema of its endpoint. */
export function keepsSchema(sent: unknown, { body }: Endpoint): boolean {
  if (body === null || sent === undefined) return true;
  if (typeof sent !== 'object' || sent === null) return false;
  return isKept(body)(sent).isValid;
}
