import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Fixtures, Naming, Vocabulary } from '../../contracts/target.ts';

/** What the target declares of itself: the words its references may use, and the features it has. */
export interface TargetCapabilities {
  /** The names (or, for metrics, the objects) that exist at the target; empty when none are declared. */
  references(kind: ReferenceKind): readonly Json[];
  /** Whether the target declares the feature. */
  has(capability: Capability): boolean;
}

/** How a target is reached besides its URL. Nothing of it is shown or stored but the names of headers. */
export interface Access {
  /** Sent with every request, for what stands in front of the target. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM texts: authorities that are trusted beside the usual ones, and a certificate of the client with its key. */
  readonly tls: { readonly ca?: readonly string[]; readonly cert?: string; readonly key?: string };
  /** The proxy that makes the connections, or null. */
  readonly proxy: URL | null;
}

/** Where the API key comes from: one that never changes, or keys that live for a while only. */
export interface KeySource {
  /** The key in use. */
  current(): string;
  /** Calls back with the key in use, and with each one that comes after it. */
  watch(listener: (key: string) => void): void;
  /** Asks for another key, for the target refused this one. Resolves to the key to use now: the same if no other came. */
  renew(refused: string): Promise<string>;
}

/** All that the suite knows of a target: where it is, what may be touched there, and the words that mean something. */
export interface Target extends TargetCapabilities {
  readonly baseUrl: URL;
  readonly access: Access;
  readonly keys: KeySource;
  /** The key in use: `keys.current()`. */
  readonly apiKey: string;
  readonly naming: Naming;
  readonly fixtures: Fixtures;
  readonly vocabulary: Vocabulary;
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
