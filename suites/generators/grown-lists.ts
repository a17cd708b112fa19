import type { Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { isReference } from './context.ts';
import { memberSchemas, nodeOf } from './node.ts';
import { isUnbounded } from './odd-texts.ts';
import { namingMembers } from './varied.ts';

/** Returns a list made longer with items of its own kind, each told apart by its number; empty if it cannot be. */
export function manyOf(list: readonly Json[], items: Schema, count: number): Json[] {
  if (list.length >= count) return list.slice(0, count);
  const member = nameOfText(items);
  const canDiffer = !isReference(items) && (member !== undefined || nodeOf(items).kind === 'string');
  if (list.length === 0 || !canDiffer) return [];
  return Array.from({ length: count }, (_, index) => {
    const item = list[index % list.length] ?? null;
    const named = (text: Json | undefined): string => `${String(text)} ${index + 1}`;
    return isObject(item) && member !== undefined ? { ...item, [member]: named(item[member]) } : named(item);
  });
}

/** Returns a list with a further item that names what the first does; undefined of a list without two items. */
export function namedAgain(list: Json, items: Schema): Json[] | undefined {
  const [[name] = ['']] = namingMembers(items);
  const [first, last] = Array.isArray(list) && list.length > 1 ? [list[0], list.at(-1)] : [];
  return isObject(first) && isObject(last)
    ? [...(list as Json[]), { ...last, [name]: first[name] ?? null }]
    : undefined;
}

/** Returns the name of the first member of an object that may hold any text. */
const nameOfText = (schema: Schema): string | undefined =>
  memberSchemas(schema).find(([, member]) => {
    const node = nodeOf(member);
    const isText = node.kind === 'string' && !isReference(member) && isUnbounded(node.schema);
    return isText && member.annotation?.formatHint !== 'url';
  })?.[0];
