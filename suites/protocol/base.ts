import type { EndpointId } from '../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, same, steps } from '../../contracts/pointer.ts';

/** One respect in which the requests that a target accepts differ from those that the specification allows. */
export interface Change {
  /** JSON Pointer (RFC 6901) into the body; `*` stands for every item of a list. */
  readonly pointer: string;
  /** What is replaced; absent: the member is added where it is missing. */
  readonly was?: Json;
  /** What is sent instead; absent: the member is left out. */
  readonly becomes?: Json;
}

/** How every request of an operation is changed before it is sent, or why none is accepted. */
export interface Base {
  readonly changes: readonly Change[];
  /** What comes of them is told, or the target file says that the service demands them. */
  readonly isJudged?: true;
  /** Why no request was accepted, in one line. */
  readonly lost?: string;
}

/** What a run has found out of the operations whose smallest request was refused. */
export type Bases = Map<EndpointId, Base>;

/** The places of a body that a pointer with `*` names. */
function placesOf(body: Json, pointer: string): readonly string[] {
  let places = [''];
  for (const step of steps(pointer))
    places = places.flatMap(place => {
      const here = at(body, place);
      // A body may have a list where another has an object, or a shorter one.
      if (Array.isArray(here))
        return [...here.keys()]
          .filter(index => step === '*' || step === String(index))
          .map(index => join(place, index));
      return step !== '*' && isObject(here) ? [join(place, step)] : [];
    });
  return places;
}

/**
 * A body with some changes made. One that says something else in such a place keeps what it says.
 * @param held what the entity has in a field now: an added field is sent with that, so that it changes nothing.
 */
export function changed(
  body: JsonObject,
  changes: readonly Change[],
  held: (field: string) => Json | undefined = () => undefined,
): JsonObject {
  let next = body;
  for (const { pointer, was, becomes } of changes) {
    const value = (was === undefined ? held(steps(pointer).join('.')) : undefined) ?? becomes;
    for (const place of placesOf(next, pointer)) if (same(at(next, place), was)) next = putMember(next, place, value);
  }
  return next;
}
