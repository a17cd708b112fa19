import { onTestFinished } from 'vitest';
import type { Behaviour, Hostile } from './behaviour.fixture.ts';

/** A target that misbehaves for the length of one test. */
export async function served(behaviour: Behaviour): Promise<Hostile> {
  const target = await behaviour.serve();
  onTestFinished(target.close);
  return target;
}
