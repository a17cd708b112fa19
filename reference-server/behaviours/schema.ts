import type { BehaviourRequest } from '../../contracts/behaviour.ts';

/** A behaviour as stored. */
export interface StoredBehaviour extends BehaviourRequest {
  readonly id: string;
  readonly on: boolean;
  /** Its number in order of creation in this world. A replaced behaviour gets a new one, so its counts restart. */
  readonly made: number;
}

/** A behaviour as shown. */
export interface Behaviour extends StoredBehaviour {
  /** How many requests are left for it, at all servers that share the store. */
  readonly left?: number;
  /** How many requests met it at this server. */
  readonly met: number;
}

/** Keys of the notes: prefix for behaviours, and the number ever created. */
export const behaviourKey = 'behaviour/';
export const madeKey = 'behaviours-made';

/** Keys of the notes for a behaviour's request count and rate limit, shared by all servers of the store. */
export const countKeys = (made: number) => ({ met: `behaviour-met/${made}`, rate: `behaviour-rate/${made}` }) as const;

/** The request count of a behaviour, shared by all servers of the store. */
export type Counted = {
  /** How many requests matched, before skip and share apply. */
  readonly seen: number;
  /** How many of those it met. */
  readonly met: number;
  /** True if it met the latest one. */
  readonly acts: boolean;
};
