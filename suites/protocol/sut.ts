import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Learned } from '../../contracts/report/journal.ts';
import type { Fixtures, Limits, Naming, TargetFile, Vocabulary } from '../../contracts/target.ts';

/** A name that an answer of the target taught, in the form of the target file. */
export type LearnedWord = Omit<Learned, 'event'>;

/** A reference that was learned: what it is called, its value in a request, and the word that it is or is part of. */
export interface LearnedReference {
  readonly what: string;
  readonly value: Json;
  readonly word: LearnedWord;
}

/** What the target declares of itself: the words its references may use, and the features it has. */
export interface TargetCapabilities {
  /** The names (or, for metrics, the objects) that exist at the target; empty when none are declared. */
  references(kind: ReferenceKind): readonly Json[];
  /** Those of them that answers of the target taught, and that its file does not name. Absent: none. */
  learned?(kind: ReferenceKind): readonly LearnedReference[];
  /** Whether the target declares the feature. */
  has(capability: Capability): boolean;
  /** Why a field of the body must not be sent; undefined where it may, and absent where every field may. */
  withheld?(field: string): string | undefined;
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
  /** Takes note that the target took a key. */
  took(key: string): void;
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
  /** What a run may create and send at most, where the target file says so. */
  readonly limits?: Limits;
  /** Fields that the service demands although the specification does not, by operation; absent: none. */
  readonly requires?: TargetFile['requires'];
  /** Which kinds of names may be learned; absent: all. */
  readonly learn?: TargetFile['learn'];
}

/** What was found out about the target's entities before the run. */
export interface DiscoveredState {
  /** Qualifying events by name, as the list shows them. */
  readonly qualifyingEvents: ReadonlyMap<string, JsonObject>;
  /** Gates by id, as they were read; absent where none were. */
  readonly gates?: ReadonlyMap<string, JsonObject>;
  /** What of the fixtures may be written; absent where nothing will be. */
  readonly writable?: Writable;
}

/** Why a fixture is not written, and what its owner can do. */
export interface Obstruction {
  readonly because: string;
  readonly remedy?: string;
}

/** What of the fixtures may be written: that of which an answer told what it is now, so that it can be put back. */
export interface Writable {
  /** Why nothing of a fixture may be written, and what its owner can do; undefined where something may. */
  entity(endpoint: EndpointId, param: string | undefined): Obstruction | undefined;
  /** Why a field of a fixture may not be written, or not at a value; undefined where it may. */
  field(endpoint: EndpointId, param: string | undefined, field: string, value?: unknown): string | undefined;
  /** Whether a field that may not be written can be sent in a dry run. */
  triesDry(endpoint: EndpointId, param: string | undefined): boolean;
}

/** The smallest sensible request of an endpoint. */
export interface MinimalRequest {
  /** The value of the path parameter, not encoded. */
  readonly param?: string;
  readonly body?: JsonObject;
}
