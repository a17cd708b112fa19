import type { Json, JsonObject } from '../../../contracts/json.ts';

/** JSON as it comes from the server. */
export type Value = Json;

/** One place in which two values differ; an absent side is undefined. */
interface Change {
  /** The way to it in dots; the empty text is the whole. */
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Places are told up to this depth; deeper ones are told as a whole. */
const deepest = 40;

/** What a value holds, an array by its places; undefined where it holds nothing. */
const held = (value: Value | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;

/** Where two values differ, in the order of their members. Arrays of another length are compared place by place. */
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

/** A state: per collection the pairs of id and entity. */
export type State = Readonly<Record<string, readonly (readonly [string, Value])[]>>;

/** An entity that was added, removed or changed. */
export interface EntityChange {
  readonly collection: string;
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Which entities differ between two states. Their order in a collection is not looked at. */
export const stateChanges = (before: State, after: State): readonly EntityChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(collection => {
    const was = new Map(before[collection] ?? []);
    const is = new Map(after[collection] ?? []);
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((id): EntityChange[] => {
      const [before, after] = [was.get(id), is.get(id)];
      const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
      return changesBetween(before, after).length === 0 ? [] : [{ collection, id, kind, before, after }];
    });
  });
