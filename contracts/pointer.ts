import { isObject, type Json, type JsonObject, namesInEither } from './json.ts';

/** Returns a JSON Pointer (RFC 6901) one step deeper. */
export function join(pointer: string, key: string | number): string {
  const step = String(key);
  return `${pointer}/${/[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step}`;
}

/** Returns the steps of a JSON Pointer. */
export function steps(pointer: string): string[] {
  if (pointer === '') return [];
  const written = pointer.slice(1).split('/');
  return pointer.includes('~') ? written.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~')) : written;
}

/** Returns the value at a pointer; undefined if there is none. */
export function at(value: Json | undefined, pointer: string): Json | undefined;
export function at(value: unknown, pointer: string): unknown;
export function at(value: unknown, pointer: string): unknown {
  let here = value;
  for (const step of steps(pointer)) {
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(step) ? here[Number(step)] : undefined;
    else if (isObject(here) && Object.hasOwn(here, step)) here = here[step];
    else return undefined;
  }
  return here;
}

/**
 * Returns a copy with the value at the pointer replaced, or removed if `next` is undefined. Copies only the path, and
 * creates missing objects on it.
 */
export function put(value: Json | undefined, pointer: string, next: Json | undefined): Json {
  return putSteps(value, steps(pointer), 0, next) ?? null;
}

/** Returns the new value of a node that is reached after `taken` steps of the path. */
function putSteps(
  value: Json | undefined,
  path: readonly string[],
  taken: number,
  next: Json | undefined,
): Json | undefined {
  const first = path[taken];
  if (first === undefined) return next;
  if (Array.isArray(value)) {
    const index = Number(first);
    const inner = putSteps(value[index], path, taken + 1, next);
    return inner === undefined ? value.filter((_, position) => position !== index) : value.with(index, inner);
  }
  const members = isObject(value) ? value : {};
  const inner = putSteps(members[first], path, taken + 1, next);
  if (inner !== undefined) return { ...members, [first]: inner };
  const { [first]: _gone, ...others } = members;
  return others;
}

/** Returns such a copy of a body, which stays an object. */
export function putMember(body: JsonObject, pointer: string, next: Json | undefined): JsonObject {
  return put(body, pointer, next) as JsonObject;
}

/**
 * Returns the pointers at which two values differ, outermost first. Arrays of different lengths and values of different
 * types differ as a whole; a missing member differs at its own pointer.
 */
export function differences(one: Json | undefined, other: Json | undefined, pointer = ''): string[] {
  if (one === other) return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item, index) =>
      item === other[index] ? [] : differences(item, other[index], join(pointer, index)),
    );
  if (isObject(one) && isObject(other))
    return namesInEither(one, other).flatMap(key => {
      const was = Object.hasOwn(one, key) ? one[key] : undefined;
      const is = Object.hasOwn(other, key) ? other[key] : undefined;
      // Write no pointer for equal members, because most are equal.
      return was === is ? [] : differences(was, is, join(pointer, key));
    });
  return [pointer];
}

/** True if two JSON values are equal. Like `differences`, but without the pointers. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (const [index, item] of one.entries()) if (!same(item, other[index])) return false;
    return true;
  }
  if (!isObject(one) || !isObject(other)) return false;
  for (const key of Object.keys(one))
    if (!same(one[key], Object.hasOwn(other, key) ? other[key] : undefined)) return false;
  for (const key of Object.keys(other)) if (!Object.hasOwn(one, key) && other[key] !== undefined) return false;
  return true;
}

/** Returns two values whose members can be compared one by one: two objects, or two lists. Otherwise none. */
const membersOfBoth = (one: unknown, other: unknown): readonly Readonly<Record<string, unknown>>[] =>
  (isObject(one) && isObject(other)) || (Array.isArray(one) && Array.isArray(other))
    ? [one as Readonly<Record<string, unknown>>, other as Readonly<Record<string, unknown>>]
    : [];

/**
 * Returns the deepest place that contains every difference of two values: its pointer and both values, undefined if
 * absent. Stops where several members differ, or where `isEntered` says that the two are compared as a whole.
 */
export function deepestDifference(
  one: unknown,
  other: unknown,
  isEntered: (one: unknown, other: unknown) => boolean = () => true,
): { readonly pointer: string; readonly one: unknown; readonly other: unknown } {
  const whole = { pointer: '', one, other };
  const [was, is] = isEntered(one, other) ? membersOfBoth(one, other) : [];
  if (!was || !is) return whole;
  const [name, ...more] = namesInEither(was, is).filter(key => JSON.stringify(was[key]) !== JSON.stringify(is[key]));
  if (name === undefined || more.length > 0) return whole;
  const within = deepestDifference(was[name], is[name], isEntered);
  return { ...within, pointer: `${join('', name)}${within.pointer}` };
}

/**
 * Replaces each list index in a JSON Pointer by a star: `data` / 3 / `tags` / 0 becomes `data` / any / `tags` / any.
 */
export const anyPosition = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** True for a step of a JSON Pointer into a list: an index, or the star that stands for any. */
export const isPosition = (step: string): boolean => /^(\d+|\*)$/.test(step);

/** True if a JSON Pointer leads to the place of another, or to a place within it. */
export const isWithin = (pointer: string, place: string): boolean =>
  pointer === place || pointer.startsWith(`${place}/`);
