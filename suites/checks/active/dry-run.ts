import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { namePlaceholder } from '../../sut/minimal-request.ts';

/**
 * A metric's name is stamped so that no two creations collide and everything the suite made can be told by its name. A body with a name of its own is
 * only validated (section 4.9, `dryRun`): nothing is created. Neither is by the cases beyond a profile.
 */
export function inDryRun(body: JsonObject, { row, extended }: Pick<CheckContext, 'row' | 'extended'>): JsonObject {
  if (row.action !== 'create' || !hasDryRun(row)) return body;
  const isNamed = body.name !== undefined && body.name !== namePlaceholder;
  // A case that is about `dryRun` itself stays what it is.
  const isBroken = body.dryRun !== undefined && typeof body.dryRun !== 'boolean';
  return (isNamed || extended === true) && !isBroken ? { ...body, dryRun: true } : body;
}
