import type { Collection } from '../../contracts/endpoint.ts';
import { type Originals, restorations } from './originals.ts';
import { openSession, type Wire } from './session.ts';

/** Puts back what a collection's checks changed; returns, in words, what could not be. Never throws for the target's sake. */
export async function restoreLane(lane: Collection, wire: Wire, originals: Originals): Promise<string[]> {
  const session = openSession(wire, `restore/${lane}`, () => []);
  const left: string[] = [];
  for (const restore of restorations(wire.target, originals, lane)) {
    const problem = await restore(session);
    if (problem !== null) left.push(problem);
  }
  return left;
}
