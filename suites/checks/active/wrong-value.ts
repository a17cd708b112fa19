import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { at, join, putMember, steps } from '../../../contracts/pointer.ts';
import { validatorFor } from '../../../contracts/validation.ts';

/**
 * Returns the field of a body that stores the value which an answer wrongly showed at a pointer; empty if no request
 * may hold it. A write that changes nothing shows nothing: to see a value lost again, another has to be there before.
 *
 * @param sent the body that was answered so, for a part of a field: the rest of the field stays as it is there
 */
export function storedWrongly({ body }: Endpoint, pointer: string, got: unknown, sent: JsonObject = {}): JsonObject {
  const [data, field = '', ...within] = steps(pointer);
  const documented = body?.properties?.[field];
  if (data !== 'data' || documented === undefined || got === undefined) return {};
  const place = [field, ...within].reduce(join, '');
  if (within.length > 0 && at(sent, place) === undefined) return {};
  const { [field]: value = null } = putMember(sent, place, got as Json);
  return validatorFor(documented)(value).length === 0 ? { [field]: value } : {};
}
