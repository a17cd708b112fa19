import { isOperation } from '../../../contracts/endpoint.ts';
import type { CheckContext } from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';

/**
 * Brings the subject into the state in which the minimal request must succeed. Disabling a gate that is disabled already may be refused (that it should not be is a
 * SHOULD of its own), so the gate is enabled first.
 */
export async function prepare({ row, minimal }: CheckContext, session: Session): Promise<void> {
  if (isOperation(row, 'gate', 'disable'))
    await session.send({ endpoint: 'patch-gate', param: minimal.param, body: { isEnabled: true } });
}
