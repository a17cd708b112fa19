import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Learned } from '../../contracts/report/journal.ts';
import type { Fixtures, Limits, Naming, TargetFile, Vocabulary } from '../../contracts/target.ts';

/** A name learned from an answer of the target, in the form of the target file. */
export type LearnedWord = Omit<Learned, 'event'>;

/** A learned reference: its name, its value in a request, and the word that it is or is part of. */
export interface LearnedReference {
  readonly what: string;
  readonly value: Json;
  readonly word: LearnedWord;
}

/** The target's declarations: the words that references may use, and its features. */
export interface TargetCapabilities {
  /** Returns the names (or, for metrics, the objects) that exist at the target; empty if none are declared. */
  references(kind: ReferenceKind): readonly Json[];
  /** Returns those of them that were learned and are not in the target file. Absent: none. */
  learned?(kind: ReferenceKind): readonly LearnedReference[];
  /** True if the target declares the feature. */
  has(capability: Capability): boolean;
  /** Returns why a field of the body must not be sent; undefined if it may, absent if every field may. */
  withheld?(field: string): string | undefined;
}

/** Access to a target beyond its URL. Only the header names may be shown or stored. */
export interface Access {
  /** Sent with every request, for gateways in front of the target. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM texts: additional trusted authorities, and a client certificate with its key. */
  readonly tls: { readonly ca?: readonly string[]; readonly cert?: string; readonly key?: string };
  /** The proxy that makes the connections, or null. */
  readonly proxy: URL | null;
}

/** The source of the API key: a fixed one, or short-lived keys. */
export interface KeySource {
  /** Returns the key in use. */
  current(): string;
  /** Calls the listener with the key in use, and with each later one. */
  watch(listener: (key: string) => void): void;
  /** Records that the target accepted a key. */
  took(key: string): void;
  /**
   * Requests another key, because the target refused this one. Resolves to the key to use now: the same if no other
   * came.
   */
  renew(refused: string): Promise<string>;
}

/** Everything known about a target: where it is, what may be changed there, and its vocabulary. */
export interface Target extends TargetCapabilities {
  readonly baseUrl: URL;
  readonly access: Access;
  readonly keys: KeySource;
  /** The key in use: `keys.current()`. */
  readonly apiKey: string;
  readonly naming: Naming;
  readonly fixtures: Fixtures;
  readonly vocabulary: Vocabulary;
  /** Limits on what a run may create and send, if the target file sets any. */
  readonly limits?: Limits;
  /** Fields that the service demands although the specification does not, by operation; absent: none. */
  readonly requires?: TargetFile['requires'];
  /** The fixtures whose state may be lost, by kind; absent: none. */
  readonly disposable?: TargetFile['disposable'];
  /** The kinds of names that may be learned; absent: all. */
  readonly learn?: TargetFile['learn'];
}

/** The state of the target's entities before the run. */
export interface DiscoveredState {
  /** Qualifying events by name, as the list shows them. */
  readonly qualifyingEvents: ReadonlyMap<string, JsonObject>;
  /** Gates by id, as they were read; absent if none were. */
  readonly gates?: ReadonlyMap<string, JsonObject>;
  /** The writable parts of fixtures; absent if nothing will be written. */
  readonly writable?: Writable;
}

/** Why a fixture is not written, and the owner's remedy. */
export interface Obstruction {
  readonly because: string;
  readonly remedy?: string;
}

/** The writable parts of fixtures: fields whose present value an answer showed, so that it can be restored. */
export interface Writable {
  /** Returns why a fixture must not be written at all; undefined if some of it may. */
  entity(endpoint: EndpointId, param: string | undefined): Obstruction | undefined;
  /** Returns why a field of a fixture must not be written, or not with a value; undefined if it may. */
  field(endpoint: EndpointId, param: string | undefined, field: string, value?: unknown): string | undefined;
  /** True if a field that must not be written can be sent in a dry run. */
  triesDry(endpoint: EndpointId, param: string | undefined): boolean;
}

/** The smallest sensible request of an endpoint. */
export interface MinimalRequest {
  /** The value of the path parameter, not encoded. */
  readonly param?: string;
  readonly body?: JsonObject;
}
