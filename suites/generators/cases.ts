import type { ConstrainingKeyword } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { steps } from '../../contracts/pointer.ts';
import type { Level, NotExercised } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { LearnedReference } from '../protocol/sut.ts';

/** Returns the field of a body that a pointer leads into; empty for the body itself. */
export const topField = ({ pointer }: { readonly pointer: string }): string => steps(pointer)[0] ?? '';

/** Returns a pointer as titles show it. */
export const dotted = (pointer: string): string => steps(pointer).join('.');

/** An accepted template with one field changed: the target is expected to accept it. */
export interface AcceptCase {
  readonly title: string;
  /** JSON Pointer (RFC 6901) of the changed value; empty for the template itself. */
  readonly pointer: string;
  /** The value at the pointer. */
  readonly value: Json;
  readonly body: JsonObject;
  /** MUST if the specification states that it is accepted, SHOULD if nothing forbids it. */
  readonly level: Level;
  /** The keyword that it exercises, or `template`, `example`, `null`, `unicode`, `extreme`, `combination`. */
  readonly keyword: string;
  /** Stands in no request with other cases, and proves nothing if its controls are refused (`alone` of the field). */
  readonly isAlone?: true;
  /** The value is a name that exists at the target: another time there may be more of them, or others. */
  readonly isOneOfMany?: true;
  /**
   * Requests that carry everything that a stated value needs, with the field at another value or not at all. If the
   * target accepts one of them, it MUST accept the stated value, whatever the level is without that.
   */
  readonly controls?: readonly JsonObject[];
  /** It has every part that the specification says it needs: a refusal for want of another is no custom to learn. */
  readonly isComplete?: true;
  /** The requirement that its refusal breaks, if none follows from what it is. */
  readonly requirement?: RequirementId;
  /** The name in the body that an answer of the target taught: refusing it is no defect. */
  readonly learned?: LearnedReference;
}

/** A request that a mutation makes of its valid control: it breaks exactly one stated rule. */
export interface RejectCase extends Omit<Mutation, 'what'> {
  readonly title: string;
  readonly body: JsonObject;
  readonly control: JsonObject;
  /** The control's value at the pointer; absent if it has none there. */
  readonly controlValue?: Json;
  /** The requirement that its acceptance breaks, if it is not that of the field. */
  readonly requirement?: RequirementId;
  /** The case to send in its place if its control, which has more than it needs, is refused. */
  readonly alone?: RejectCase;
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
  /** One of several alike, and not the first: if only some are sent, it comes later. */
  readonly alike?: true;
  /** One of many beyond those that every run sends: the seed decides which runs send it. */
  readonly share?: number;
  /** The case to send in its place if its control, which has more than it needs, is refused. */
  readonly alone?: RejectCase;
  /** The new value at the pointer. Absent: the value there is removed. */
  readonly sent?: Json;
}
