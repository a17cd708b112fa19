import { hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, type Session } from '../../protocol/check.ts';
import { namePlaceholder } from '../../sut/minimal-request.ts';

/**
 * Brings the subject into the state in which the minimal request must succeed. Disabling a gate that is disabled
 * already may be refused (section 3 makes its repetition a SHOULD), so the gate is enabled first.
 */
export async function prepare({ row, minimal }: CheckContext, session: Session): Promise<void> {
  if (isOperation(row, 'gate', 'disable'))
    await session.send({ endpoint: 'patch-gate', param: minimal.param, body: { isEnabled: true } });
}

/** Prepares the subject and sends the minimal request, with another body where one is given. */
export async function sendPrepared(context: CheckContext, session: Session, body?: JsonObject): Promise<Answer> {
  await prepare(context, session);
  return session.send(minimalApiRequest(context, body));
}

/** True of a body with a field that could not be put back, for an operation that can be tried without effect. */
function changesUnknown(body: JsonObject, { endpoint, row, minimal: { param }, discovered }: CheckContext): boolean {
  const { writable } = discovered;
  if (writable === undefined || !hasDryRun(row) || !writable.triesDry(endpoint, param)) return false;
  return Object.keys(body).some(field => writable.field(endpoint, param, field) !== undefined);
}

/**
 * Turns a creation into a dry run (section 4.9) where it would leave something that cannot be told by its name: where
 * the body has a name of its own instead of the placeholder. Does the same to every creation beyond the cases of the
 * profile, of which there may be very many, and to an update of fields that could not be put back. A case that breaks `dryRun` itself stays as it is.
 */
export function inDryRun(body: JsonObject, context: CheckContext): JsonObject {
  const { row, extended } = context;
  if (changesUnknown(body, context)) return { ...body, dryRun: true };
  if (row.action !== 'create' || !hasDryRun(row)) return body;
  const isNamed = body.name !== undefined && body.name !== namePlaceholder;
  const isBroken = body.dryRun !== undefined && typeof body.dryRun !== 'boolean';
  return (isNamed || extended === true) && !isBroken ? { ...body, dryRun: true } : body;
}
