import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { validatorFor } from '../../../contracts/validation.ts';

/**
 * Returns the field of a body that stores the value which an answer wrongly showed at a pointer; empty if no request may
 * hold it. A write that changes nothing shows nothing: to see a value lost again, another has to be there before.
 */
export function storedWrongly({ body }: Endpoint, pointer: string, got: unknown): JsonObject {
  const [data, field = '', member] = steps(pointer);
  const documented = body?.properties?.[field];
  if (data !== 'data' || member !== undefined || documented === undefined || got === undefined) return {};
  return validatorFor(documented)(got).length === 0 ? { [field]: got as Json } : {};
}
