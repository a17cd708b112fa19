import type { Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type Members, namesInEither } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { agreeInAnyOrder, compareEcho } from '../judge/echo.ts';

/** True if the order of a list has no meaning: it is compared as a set, and so are the lists inside it. */
const isSet = (schema: Schema | undefined): boolean => schema?.annotation?.compare !== undefined;

/**
 * True if two answers show the same value of a field. The order of sets is ignored; a null equals an absent member. A
 * member that no table documents may move, and may not go.
 */
export function agrees(one: unknown, other: unknown, schema: Schema | undefined, unordered = isSet(schema)): boolean {
  const [a, b] = [one ?? null, other ?? null];
  if (schema?.annotation?.compare === 'members') return compareEcho(a as Json, b, schema, '').length === 0;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (unordered) return agreeInAnyOrder(a, b, (item, candidate) => agrees(item, candidate, schema?.items, unordered));
    return a.length === b.length && a.every((item, index) => agrees(item, b[index], schema?.items));
  }
  if (!isObject(a) || !isObject(b)) return same(a, b);
  const member = (of: Members, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined);
  return namesInEither(a, b).every(name => {
    const within = schema?.properties?.[name];
    if (schema?.properties !== undefined && within === undefined)
      return !Object.hasOwn(a, name) || Object.hasOwn(b, name);
    return agrees(member(a, name), member(b, name), within, unordered || isSet(within));
  });
}
