import type { Fields } from './checks.ts';
import * as seed from './seed.ts';

/**
 * Everything the independent server remembers. Entities are plain JSON objects, replaced and never changed in place.
 */
export interface State {
  readonly environments: Map<string, Fields>;
  readonly gates: Map<string, Fields>;
  /** The versions of each dynamic config, the newest first. */
  readonly configs: Map<string, readonly Fields[]>;
  readonly experiments: Map<string, Fields>;
  readonly sources: Map<string, Fields>;
  readonly metrics: Map<string, Fields>;
  readonly segments: readonly Fields[];
  /** The versions of each prompt. */
  readonly prompts: Map<string, readonly Fields[]>;
  /** The records of each logged event. */
  readonly events: Map<string, readonly Fields[]>;
  /** Seconds since 1970, one later at every call: no wall clock is read. */
  now(): number;
}

/** A state as every start finds it. */
export function freshState(): State {
  let clock = 1_700_000_000;
  return {
    environments: by('id', seed.environments),
    gates: by('id', seed.gates),
    configs: new Map(seed.configs.map(versions => [String(versions[0]?.id), versions])),
    experiments: by('id', seed.experiments),
    sources: by('name', seed.sources),
    metrics: by('id', seed.metrics),
    segments: seed.segments,
    prompts: new Map(seed.prompts.map(id => [id, []])),
    events: new Map(Object.entries(seed.events)),
    now: () => (clock += 1),
  };
}

const by = (key: string, entities: readonly Fields[]): Map<string, Fields> =>
  new Map(entities.map(entity => [String(entity[key]), entity]));

/** Every word that other fields may refer to and that never changes. */
export const words = {
  idTypes: ['userID', 'deviceID'],
  models: ['small-1', 'large-2'],
  providers: ['acme', 'umbrella'],
  roles: ['system', 'user', 'assistant'],
  apps: ['storefront'],
  columns: ['at', 'user_id', 'amount'],
  reviewGroups: ['rg-platform'],
  users: [
    { id: 'u-ada', email: 'ada@example.test' },
    { id: 'u-lin', email: 'lin@example.test' },
  ],
} as const;
