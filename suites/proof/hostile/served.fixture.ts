import { onTestFinished } from 'vitest';
import { heldLimits } from '../testing/held-limits.ts';
import { skipWaits } from '../testing/skip-waits.ts';
import { type Behaviour, type Hostile, patient } from './behaviour.fixture.ts';

/**
 * Serves a misbehaving target for one test, with the time limit of a run in milliseconds. If it answers at all, waits
 * between requests are skipped.
 */
export async function served(behaviour: Behaviour): Promise<Hostile & { readonly timeoutMs: number }> {
  if (behaviour.timeoutMs === patient) onTestFinished(skipWaits());
  const limits = behaviour.timeoutMs === 'held' ? heldLimits() : { timeoutMs: behaviour.timeoutMs };
  if ('release' in limits) onTestFinished(limits.release);
  const target = await behaviour.serve('hold' in limits ? limits.hold : undefined);
  onTestFinished(target.close);
  return { ...target, timeoutMs: limits.timeoutMs };
}
