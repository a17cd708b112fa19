import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Fixtures, Limits, Naming, Vocabulary } from '../../contracts/target.ts';

/** What the target declares of itself: the words its references may use, and the features it has. */
export interface TargetCapabilities {
  /** The names (or, for metrics, the objects) that exist at the target; empty when none are declared. */
  references(kind: ReferenceKind): readonly Json[];
  /** Whether the target declares the feature. */
  has(capability: Capability): boolean;
}

/** All that the suite knows of a target: where it is, what may be touched there, and the words that mean something. */
export interface Target extends TargetCapabilities {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly naming: Naming;
  readonly fixtures: Fixtures;
  readonly vocabulary: Vocabulary;
  /** What a run may create and send at most, where the target file says so. */
  readonly limits?: Limits;
}

/** What was found out about the target's entities before the run: qualifying events by name, as the list shows them. */
export interface DiscoveredState {
  readonly qualifyingEvents: ReadonlyMap<string, JsonObject>;
}

/** The smallest sensible request of an endpoint. */
export interface MinimalRequest {
  /** The value of the path parameter, not encoded. */
  readonly param?: string;
  readonly body?: JsonObject;
}
