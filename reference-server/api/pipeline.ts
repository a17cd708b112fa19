import { type EndpointId, endpointIds } from '../../contracts/endpoint.ts';
import { handlers } from '../handlers/index.ts';
import { type Answer, Refused, refusal } from './answer.ts';
import type { Authorise } from './authorise.ts';
import type { Hooks } from './hooks.ts';
import type { Handler } from './request.ts';
import { type Validate, validation } from './validate.ts';

/** The answer to a missing or wrong key. */
export const unauthorised: Answer = refusal(401, 'The API key is missing or wrong.');

const stages =
  (authorise: Authorise, validate: Validate, operation: Handler): Handler =>
  async (request, store, settings) => {
    if (!authorise(request)) return unauthorised;
    if (request.unreadable !== undefined) return request.unreadable;
    const problems = validate(request);
    if (problems.length > 0) return refusal(400, 'The request body is not valid.', problems);
    try {
      return await operation(request, store, settings);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  };

/** Every operation from key check to answer, as the hooks have it. `authorise` is already decorated. */
export const pipelines = (authorise: Authorise, hooks: Hooks): Record<EndpointId, Handler> => {
  const pipeline = (id: EndpointId): Handler => {
    const validate = hooks.decorateValidate?.(id, validation[id]) ?? validation[id];
    const operation = hooks.decorateOperation?.(id, handlers[id]) ?? handlers[id];
    const whole = stages(authorise, validate, operation);
    return hooks.decorate?.(id, whole) ?? whole;
  };
  return Object.fromEntries(endpointIds.map(id => [id, pipeline(id)])) as Record<EndpointId, Handler>;
};
