import type { Json, JsonObject } from '../../../contracts/json.ts';

/** JSON from the server. */
export type Value = Json;

/** A place in which two values differ; an absent side is undefined. */
interface Change {
  /** The members that lead to it, joined by dots; empty for the whole value. */
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Differences are reported down to this depth; a deeper value is compared as a whole. */
const deepest = 40;

/** Returns a value as an object, an array by its indexes; undefined for a scalar. */
const held = (value: Value | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;

/** Returns where two values differ, in member order. Arrays of different lengths are compared index by index. */
export const changesBetween = (
  before: Value | undefined,
  after: Value | undefined,
  path = '',
  depth = 0,
): readonly Change[] => {
  if (Object.is(before, after)) return [];
  const [was, is] = [held(before), held(after)];
  if (depth >= deepest || was === undefined || is === undefined || Array.isArray(was) !== Array.isArray(is))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
  const at = (of: JsonObject, name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(name =>
    changesBetween(at(was, name), at(is, name), path === '' ? name : `${path}.${name}`, depth + 1),
  );
};

/** A state: pairs of id and entity, per collection. */
export type State = Readonly<Record<string, readonly (readonly [string, Value])[]>>;

/** Returns the entities that differ between two states, ignoring their order in a collection. */
export const stateChanges = (before: State, after: State) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(collection => {
    const was = new Map(before[collection] ?? []);
    const is = new Map(after[collection] ?? []);
    return [...new Set([...was.keys(), ...is.keys()])].flatMap(id => {
      const [before, after] = [was.get(id), is.get(id)];
      const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
      return changesBetween(before, after).length === 0 ? [] : [{ collection, id, kind, before, after }];
    });
  });

/** An entity that was added, removed or changed. */
export type EntityChange = ReturnType<typeof stateChanges>[number];
