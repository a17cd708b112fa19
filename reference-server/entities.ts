import type { Infer } from '../contracts/infer.ts';
import type * as r from '../contracts/resources/index.ts';

/**
 * What the store holds. An entity has the members that responses show, and those that only requests have, which are
 * kept for whoever reads the state and are never shown.
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

/** A dynamic config with its history, the newest version first: `versions[0]` is what it is now. */
export interface ConfigHistory {
  readonly id: string;
  readonly versions: readonly DynamicConfig[];
  readonly archived?: { readonly reason: string; readonly forced: boolean };
}

/** What a config is now. A history is never empty. */
export const currentOf = ({ versions }: ConfigHistory): DynamicConfig => versions[0] as DynamicConfig;

/** A prompt with its versions, the newest first, and how many there ever were. */
export interface Prompt {
  readonly id: string;
  readonly count: number;
  readonly versions: readonly PromptVersion[];
}

/** An event with what was logged of it, in the order of logging. */
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

/** A name of the directory: it exists, and that is all that is known of it. */
export interface Named {
  readonly id: string;
}

/** The collections that hold names alone, and what a name of each is called in a refusal. */
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
 * The collections of the store, by name. The users and those that hold names alone are the directory: what requests refer
 * to and no operation changes.
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

/** What an entity is stored under: its id, or its name where it has none. */
export const keyOf = (entity: object): string => {
  const { id, name } = entity as { readonly id?: string; readonly name?: string };
  return String(id ?? name);
};

/** Every collection once, and what its entities are called in a refusal. */
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

/** The names of the collections, in the order in which a snapshot has them. */
export const collectionNames = Object.keys(collectionTitles) as readonly CollectionName[];

/** The collections that hold names alone. */
export const namedCollections = Object.keys(namedTitles) as readonly (keyof typeof namedTitles)[];

/** The same for each of the collections that hold names alone. */
export const forEachNamed = <T>(value: T): Readonly<Record<keyof typeof namedTitles, T>> =>
  Object.fromEntries(namedCollections.map(name => [name, value])) as never;

/** The collections of the directory. */
export const directoryNames = ['users', ...namedCollections] as const;
