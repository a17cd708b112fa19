import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { steps } from '../../contracts/pointer.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { ApiKey, Authorise } from '../api/authorise.ts';
import type { Hooks, Validate } from '../api/hooks.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { type FieldError, type HandlerResponse, Refused, refusal } from '../api/response.ts';
import { handlers } from './index.ts';

/** The response to a missing or wrong key. */
export const unauthorised: HandlerResponse = refusal(401, 'The API key is missing or wrong.');

const expired: HandlerResponse = refusal(401, 'The API key has expired.');

/** The key that a request carries, if it is one of the server. */
type KeyOf = (request: HandlerRequest) => ApiKey | undefined;

/** The response to a write with a key that may only read. */
const forbidden = ({ name }: ApiKey): HandlerResponse =>
  refusal(403, `The API key ${name} is read-only: it may not write.`);

const none: readonly FieldError[] = [];

/** The validation of an operation's body against its contract. */
const validationOf = (id: EndpointId): Validate => {
  const { body: schema } = endpoints[id];
  if (schema === null) return () => none;
  const validator = validatorFor(schema);
  return ({ body }) => {
    const problems = validator(body);
    if (problems.length === 0) return none;
    return problems.map(({ pointer, message }) => ({ property: steps(pointer).join('.'), errorMessage: message }));
  };
};

const stages =
  (authorise: Authorise, keyOf: KeyOf, writes: boolean, validate: Validate, operation: Handler): Handler =>
  async (request, store, settings) => {
    if (!authorise(request)) return unauthorised;
    const key = keyOf(request);
    const expires = key?.expires ?? settings.expires?.();
    if (expires !== undefined && settings.now() >= expires) return expired;
    if (writes && key?.role === 'read-only') return forbidden(key);
    if (request.unreadable !== undefined) return request.unreadable;
    const errors = validate(request);
    if (errors.length > 0) return refusal(400, 'The request body is not valid.', errors);
    try {
      return await operation(request, store, settings);
    } catch (error) {
      if (error instanceof Refused) return error.response;
      throw error;
    }
  };

/**
 * Every operation from key check to response, as the hooks have it. `authorise` is already decorated; `keyOf` tells which
 * key a request carries, where any of them may only read or expires.
 */
export const pipelines = (
  authorise: Authorise,
  hooks: Hooks,
  keyOf: KeyOf = () => undefined,
): Record<EndpointId, Handler> => {
  const pipeline = (id: EndpointId): Handler => {
    const contract = validationOf(id);
    const validate = hooks.decorateValidate?.(id, contract) ?? contract;
    const operation = hooks.decorateOperation?.(id, handlers[id]) ?? handlers[id];
    const whole = stages(authorise, keyOf, endpoints[id].method !== 'GET', validate, operation);
    return hooks.decorate?.(id, whole) ?? whole;
  };
  return Object.fromEntries(endpointIds.map(id => [id, pipeline(id)])) as Record<EndpointId, Handler>;
};
