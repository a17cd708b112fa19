import type { Endpoint } from '../../contracts/endpoint.ts';
import type { Json } from '../../contracts/json.ts';
import { isValid } from '../../contracts/validation.ts';

const judged = new WeakMap<object, boolean>();

/** True if a body that was sent keeps the schema of its endpoint. Several passive checks ask this of each answer, so it is found out once. */
export function keepsSchema(sent: Json | undefined, row: Endpoint): boolean {
  if (row.body === null || sent === undefined) return true;
  if (typeof sent !== 'object' || sent === null) return false;
  const known = judged.get(sent);
  if (known !== undefined) return known;
  const valid = isValid(row.body, sent);
  judged.set(sent, valid);
  return valid;
}
