import { onTestFinished } from 'vitest';
import { heldLimits } from '../testing/held-limits.ts';
import { skipWaits } from '../testing/skip-waits.ts';
import { type Behaviour, type Hostile, patient } from './behaviour.fixture.ts';

/**
 * A target that misbehaves for the length of one test, and how many milliseconds a run is to wait for its answers.
 * Where something answers, whatever a run waits for between its requests passes at once.
 */
export async function served(behaviour: Behaviour): Promise<Hostile & { readonly timeoutMs: number }> {
  if (behaviour.timeoutMs === patient) onTestFinished(skipWaits());
  const limits = behaviour.timeoutMs === 'held' ? heldLimits() : { timeoutMs: behaviour.timeoutMs };
  if ('release' in limits) onTestFinished(limits.release);
  const target = await behaviour.serve('hold' in limits ? limits.hold : undefined);
  onTestFinished(target.close);
  return { ...target, timeoutMs: limits.timeoutMs };
}
