import type { EndpointId } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../generators/index.ts';

/**
 * A metric's name is stamped so that no two creations collide; where the name itself is what a case is about it cannot be, so the case is only validated
 * (section 4.9, `dryRun`) and nothing is created.
 */
export function inDryRun(body: JsonObject, pointer: string, endpoint: EndpointId): JsonObject {
  return endpoint === 'create-metric' && pointer === '/name' && body.name !== undefined
    ? { ...body, dryRun: true }
    : body;
}
