import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Fixtures, Limits, Naming, Vocabulary } from '../../contracts/target.ts';

/** What the target declares of itself: the words its references may use, and the features it has. */
export interface TargetCapabilities {
  /** The names (or, for metrics, the objects) that exist at the target; empty when none are declared. */
  references(kind: ReferenceKind): readonly Json[];
  /** Whether the target declares the feature. */
  has(capability: Capability): boolean;
  /** Why a field of the body must not be sent; undefined where it may, and absent where every field may. */
  withheld?(field: string): string | undefined;
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
  /** What of the fixtures may be written; absent where nothing will be. */
  readonly writable?: Writable;
}

/** What of the fixtures may be written: that of which an answer told what it is now, so that it can be put back. */
export interface Writable {
  /** Why nothing of a fixture may be written, and what its owner can do; undefined where something may. */
  entity(endpoint: EndpointId, param: string | undefined): { because: string; remedy?: string } | undefined;
  /** Why a field of a fixture may not be written; undefined where it may. */
  field(endpoint: EndpointId, param: string | undefined, field: string): string | undefined;
  /** Whether a field that may not be written can be sent in a dry run. */
  triesDry(endpoint: EndpointId, param: string | undefined): boolean;
}

/** The smallest sensible request of an endpoint. */
export interface MinimalRequest {
  /** The value of the path parameter, not encoded. */
  readonly param?: string;
  readonly body?: JsonObject;
}
