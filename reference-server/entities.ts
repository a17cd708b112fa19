import type { Infer } from '../contracts/infer.ts';
import type * as r from '../contracts/resources/index.ts';

/**
 * The entities of the store. They have the members of responses, and members of requests that are stored for inspection
 * but never shown.
 */

export type Environment = Infer<typeof r.environment> & { requiredReviewGroupID?: string };
export type Gate = Infer<typeof r.gate> &
  Pick<Infer<typeof r.gatePatch>, 'teamID' | 'releasePipelineID' | 'gradual_rollout_strategy'>;
export type DynamicConfig = Infer<typeof r.dynamicConfig>;
export type Experiment = Infer<typeof r.experiment>;
export type Group = Experiment['groups'][number];
export type QualifyingEvent = Infer<typeof r.qualifyingEvent> &
  Pick<Infer<typeof r.qualifyingEventRequest>, 'all_columns' | 'column_types'> & { name: string };
export type Metric = Infer<typeof r.metric> &
  Pick<
    Infer<typeof r.metricRequest>,
    | 'metricComponentMetrics'
    | 'rollupTimeWindow'
    | 'customRollUpStart'
    | 'customRollUpEnd'
    | 'percentile'
    | 'warehouseNative'
    | 'teamID'
  > & { lineage: { events: string[]; metrics: string[] } };
export type Segment = Infer<typeof r.segment>;
export type PromptVersion = Infer<typeof r.promptVersion>;
export type LoggedEvent = Infer<typeof r.loggedEvent>;

/** A dynamic config with its history, newest first: `versions[0]` is the current one. */
export interface ConfigHistory {
  readonly id: string;
  readonly versions: readonly DynamicConfig[];
  readonly archived?: { readonly reason: string; readonly forced: boolean };
}

/** Returns the current version of a config. A history is never empty. */
export const currentOf = ({ versions }: ConfigHistory): DynamicConfig => versions[0] as DynamicConfig;

/** A prompt with its versions, newest first, and the number ever created. */
export interface Prompt {
  readonly id: string;
  readonly count: number;
  readonly versions: readonly PromptVersion[];
}

/** An event with its log records, in the order of logging. */
export interface EventLog {
  readonly name: string;
  readonly records: readonly LoggedEvent[];
}

/** A person, or the key that acts for one. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A name of the directory, of which nothing else is known. */
export interface Named {
  readonly id: string;
}

/** The collections of mere names, with the titles of their entities in refusals. */
const namedTitles = {
  teams: 'Team',
  apps: 'Target app',
  idTypes: 'Unit id type',
  models: 'Model',
  providers: 'Provider',
  pipelines: 'Release pipeline',
  reviewGroups: 'Review group',
  assignmentSources: 'Assignment source',
  identitySources: 'Identity resolution source',
} as const;

/**
 * The collections of the store. Users and mere names form the directory: requests refer to it, and no operation changes
 * it.
 */
export interface Collections extends Record<keyof typeof namedTitles, Named> {
  environments: Environment;
  gates: Gate;
  configs: ConfigHistory;
  experiments: Experiment;
  qualifyingEvents: QualifyingEvent;
  metrics: Metric;
  segments: Segment;
  prompts: Prompt;
  events: EventLog;
  users: User;
}

export type CollectionName = keyof Collections;

/** Returns the storage key of an entity: its id, or its name if it has none. */
export const keyOf = (entity: object): string => {
  const { id, name } = entity as { readonly id?: string; readonly name?: string };
  return String(id ?? name);
};

/** All collections, with the titles of their entities in refusals. */
export const collectionTitles = {
  environments: 'Environment',
  gates: 'Gate',
  configs: 'Dynamic config',
  experiments: 'Experiment',
  qualifyingEvents: 'Qualifying event',
  metrics: 'Metric',
  segments: 'Segment',
  prompts: 'Prompt',
  events: 'Event',
  users: 'User',
  ...namedTitles,
} as const satisfies Readonly<Record<CollectionName, string>>;

/** The names of the collections, in the order of snapshots. */
export const collectionNames = Object.keys(collectionTitles) as readonly CollectionName[];

/** The collections of mere names. */
export const namedCollections = Object.keys(namedTitles) as readonly (keyof typeof namedTitles)[];

/** Maps each collection of mere names to the same value. */
export const forEachNamed = <T>(value: T): Readonly<Record<keyof typeof namedTitles, T>> =>
  Object.fromEntries(namedCollections.map(name => [name, value])) as never;

/** The collections of the directory. */
export const directoryNames = ['users', ...namedCollections] as const;
