import type { ConstrainingKeyword } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { Level, NotExercised } from '../../contracts/report/journal.ts';

/** An accepted template with one field changed: the target is expected to accept it. */
export interface AcceptCase {
  readonly title: string;
  /** JSON Pointer (RFC 6901) of the changed value; empty for the template itself. */
  readonly pointer: string;
  /** The value at the pointer. */
  readonly value: Json;
  readonly body: JsonObject;
  /** MUST where the specification states that it is accepted, SHOULD where nothing forbids it. */
  readonly level: Level;
  /**
   * What the case exercises: `template`, `example`, a keyword (`minLength`, `enum` …), `null`, `unicode`, `extreme`,
   * `combination`.
   */
  readonly keyword: string;
}

/** A request that breaks exactly one stated rule, and the valid control from which it differs in one place. */
export interface RejectCase {
  readonly title: string;
  /** JSON Pointer (RFC 6901) of the one place where body and control differ. */
  readonly pointer: string;
  /** The keyword of the contract that the body breaks. */
  readonly keyword: ConstrainingKeyword;
  readonly level: Level;
  readonly body: JsonObject;
  readonly control: JsonObject;
  /** What the body has at the pointer; absent when it has nothing there. */
  readonly sent?: Json;
  /** What the control has at the pointer; absent when it has nothing there. */
  readonly controlValue?: Json;
}

/** A finite, ordered list of cases, and the fields that could not be exercised. */
export interface Enumeration<C> {
  readonly cases: readonly C[];
  readonly notExercised: readonly NotExercised[];
}

/** One change to a valid value that breaks its schema. */
export interface Mutation {
  /** JSON Pointer (RFC 6901) of the change, within the value. */
  readonly pointer: string;
  readonly keyword: ConstrainingKeyword;
  /** A wrong JSON type (or an undocumented null) is a SHOULD; every other broken rule is a MUST. */
  readonly level: Level;
  /** The change in words: `one character below minLength (2)`. */
  readonly what: string;
  /** What stands at the pointer afterwards. Absent: the value there is removed. */
  readonly sent?: Json;
}

/** A mutation, and the whole value that it makes. */
export interface Mutant extends Mutation {
  readonly value: Json;
}
