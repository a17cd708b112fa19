import { type Endpoint, type EndpointId, endpointIds } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { type Validator, validatorFor } from '../../contracts/validation.ts';
import type { Problem } from './answer.ts';
import type { ApiRequest } from './request.ts';

/** Lists every problem of a request's body. */
export type Validate = (request: ApiRequest) => readonly Problem[];

const valid: readonly Problem[] = [];

/** `/rules/0/a~1b` as `rules.0.a/b`. */
const dotted = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

const validateBy =
  (validator: Validator): Validate =>
  ({ body }) => {
    const problems = validator(body);
    if (problems.length === 0) return valid;
    return problems.map(({ pointer, message }) => ({ property: dotted(pointer), errorMessage: message }));
  };

const validateFor = ({ body }: Endpoint): Validate => (body === null ? () => valid : validateBy(validatorFor(body)));

/** The validation of each operation's body against its contract. */
export const validation = Object.fromEntries(endpointIds.map(id => [id, validateFor(endpoints[id])])) as Record<
  EndpointId,
  Validate
>;
