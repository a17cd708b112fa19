import type { CheckContext, Session } from '../check.ts';

/**
 * Brings the subject into the state in which the plain request must succeed. Disabling a gate that is disabled already may be refused (that it should not be is a
 * SHOULD of its own), so the gate is enabled first.
 */
export async function prepare({ endpoint, plain }: CheckContext, session: Session): Promise<void> {
  if (endpoint === 'disable-gate')
    await session.send({ endpoint: 'patch-gate', param: plain.param, body: { isEnabled: true } });
}
