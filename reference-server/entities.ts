import type { Infer } from '../contracts/infer.ts';
import type * as r from '../contracts/resources/index.ts';

/**
 * What the store holds. An entity is what its answers show, and what requests say beyond that (`unseen` members), which is kept for
 * those who read the state and never answered.
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

/** The collections of the store, by name. */
export interface Collections {
  environments: Environment;
  gates: Gate;
  configs: ConfigHistory;
  experiments: Experiment;
  qualifyingEvents: QualifyingEvent;
  metrics: Metric;
  segments: Segment;
  prompts: Prompt;
  events: EventLog;
}

export type CollectionName = keyof Collections;

/** Every collection, once. */
export const collectionNames = [
  'environments',
  'gates',
  'configs',
  'experiments',
  'qualifyingEvents',
  'metrics',
  'segments',
  'prompts',
  'events',
] as const satisfies readonly CollectionName[];
