import type { BehaviourRequest } from '../../contracts/behaviour.ts';

/** A behaviour as it is kept. */
export interface StoredBehaviour extends BehaviourRequest {
  readonly id: string;
  readonly on: boolean;
  /** Counts the behaviours that were ever made in this world: one that was made anew begins anew. */
  readonly made: number;
}

/** A behaviour as it is shown. */
export interface Behaviour extends StoredBehaviour {
  /** How many of its requests are still to come, at all servers that share the store. */
  readonly left?: number;
  /** How many requests met it at this server. */
  readonly met: number;
}

/** Where behaviours are kept, and how many were ever made. */
export const behaviourKey = 'behaviour/';
export const madeKey = 'behaviours-made';

/** Where it is counted what a behaviour met, and what its rate limit let through, at all servers that share the store. */
export const countKeys = (made: number) => ({ met: `behaviour-met/${made}`, rate: `behaviour-rate/${made}` }) as const;

/** What all servers that share a store count of a behaviour. */
export type Counted = {
  /** How many requests it could have met, of which some are skipped and a share is taken. */
  readonly seen: number;
  /** How many of those it met. */
  readonly met: number;
  /** Whether it met the last of them. */
  readonly acts: boolean;
};
