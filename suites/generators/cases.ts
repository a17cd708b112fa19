import type { ConstrainingKeyword } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';

/** How firmly a case is judged: the specification states it, or only suggests it. */
export type Level = 'MUST' | 'SHOULD';

/** An accepted template with one field changed: the target is expected to take it. */
export interface AcceptCase {
  readonly title: string;
  /** JSON Pointer (RFC 6901) of the changed value; empty for the template itself. */
  readonly pointer: string;
  /** The value at the pointer. */
  readonly value: Json;
  readonly body: JsonObject;
  readonly level: Level;
  /** What the case shows: `template`, `example`, a keyword (`minLength`, `enum` …), `null`, `unicode`, `extreme`, `combination`. */
  readonly keyword: string;
}

/** A request that breaks exactly one stated rule, and the valid control it differs from in one place. */
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

/** A value that breaks its schema in one place. */
export interface Mutant {
  /** JSON Pointer of the place, within the value. */
  readonly pointer: string;
  readonly keyword: ConstrainingKeyword;
  /** A wrong JSON type (or an undocumented null) is a SHOULD; every other broken rule is a MUST. */
  readonly level: Level;
  /** What was done, in words: `one character below minLength (2)`. */
  readonly what: string;
  /** The whole mutated value. */
  readonly value: Json;
  /** What stands at the pointer now; absent when it was taken away. */
  readonly sent?: Json;
}
