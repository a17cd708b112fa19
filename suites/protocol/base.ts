import type { EndpointId } from '../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, same, steps } from '../../contracts/pointer.ts';

/** One difference between requests that a target accepts and those that the specification allows. */
export interface Change {
  /** JSON Pointer (RFC 6901) into the body; `*` stands for every item of a list. */
  readonly pointer: string;
  /** The replaced value; absent: the member is added if missing. */
  readonly was?: Json;
  /** The new value; absent: the member is left out. */
  readonly becomes?: Json;
  /** The values for the items of a list, in their order: what identifies an item may stand in one alone. */
  readonly each?: readonly Json[];
}

/** The changes to every request of an operation before it is sent, or why none is accepted. */
export interface Base {
  readonly changes: readonly Change[];
  /** A check has reported these changes, or the target file declares them. */
  readonly isJudged?: true;
  /** Why no request was accepted, in one line. */
  readonly lost?: string;
}

/** The results for operations whose minimal request was refused. */
export type Bases = Map<EndpointId, Base>;

/** Returns the places of a body that a pointer with `*` names. */
function placesOf(body: Json, pointer: string): readonly string[] {
  let places = [''];
  for (const step of steps(pointer))
    places = places.flatMap(place => {
      const here = at(body, place);
      // Bodies may differ: a list instead of an object, or a shorter one.
      if (Array.isArray(here))
        return [...here.keys()]
          .filter(index => step === '*' || step === String(index))
          .map(index => join(place, index));
      return step !== '*' && isObject(here) ? [join(place, step)] : [];
    });
  return places;
}

/**
 * Returns a body with the changes that apply: a place with another value keeps it.
 * @param held returns the entity's present value of a field, so that adding the field changes nothing
 */
export function changed(
  body: JsonObject,
  changes: readonly Change[],
  held: (field: string) => Json | undefined = () => undefined,
): JsonObject {
  let next = body;
  for (const { pointer, was, becomes, each } of changes) {
    const own = was === undefined ? held(steps(pointer).join('.')) : undefined;
    for (const [index, place] of placesOf(next, pointer).entries())
      if (same(at(next, place), was)) next = putMember(next, place, own ?? each?.[index] ?? becomes);
  }
  return next;
}
