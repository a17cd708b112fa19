import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, type Session } from '../../protocol/check.ts';

/**
 * Brings the subject into the state in which the minimal request must succeed. Disabling a disabled gate may be refused
 * (section 3 makes its repetition a SHOULD), so the gate is enabled first.
 */
export async function prepare({ row, minimal }: CheckContext, session: Session): Promise<void> {
  if (isOperation(row, 'gate', 'disable'))
    await session.send({ endpoint: 'patch-gate', param: minimal.param, body: { isEnabled: true } });
}

/** Prepares the subject and sends the minimal request, or another body if given. */
export async function sendPrepared(context: CheckContext, session: Session, body?: JsonObject): Promise<Answer> {
  await prepare(context, session);
  return session.send(minimalApiRequest(context, body));
}
