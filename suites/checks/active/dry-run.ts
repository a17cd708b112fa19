import type { EndpointId } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../generators/index.ts';
import { namePlaceholder } from '../../target/plain-request.ts';

/**
 * A metric's name is stamped so that no two creations collide and everything the suite made can be told by its name. A body with a name of its own is
 * only validated (section 4.9, `dryRun`): nothing is created.
 */
export function inDryRun(body: JsonObject, endpoint: EndpointId): JsonObject {
  const named = body.name !== undefined && body.name !== namePlaceholder;
  return endpoint === 'create-metric' && named ? { ...body, dryRun: true } : body;
}
