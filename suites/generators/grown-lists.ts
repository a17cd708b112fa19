import type { ArraySchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { type GenerationContext, isReference } from './context.ts';
import { memberSchemas, nodeOf } from './node.ts';
import { isWhole, limits } from './numbers.ts';
import { isUnbounded } from './odd-texts.ts';
import { withFurther } from './several-items.ts';
import { listOf, namesThings, namingMembers } from './varied.ts';

/** A longer list, in words. */
export interface GrownList {
  readonly what: string;
  readonly list: Json[];
  /** True if none of its items need be those of the list that it is made of. */
  readonly isOther: boolean;
}

/** Maximum number of things that a longer list names. Plans may have room for a few. */
const mostNamed = 6;

/**
 * Returns a longer list than an ordinary one: of as many items as are wanted, of whole numbers within bounds, or of
 * further things that its items can name. Undefined if there is none.
 */
export function grownList(
  schema: ArraySchema,
  value: readonly Json[],
  context: GenerationContext,
  wanted: number,
): GrownList | undefined {
  const { items } = schema;
  if (items === undefined) return undefined;
  const numbers = wholeNumbers(items, wanted);
  const distinct = numbers ?? manyOf(listOf(schema, context, 0, wanted) ?? [], items, wanted);
  if (distinct.length === (numbers?.length ?? wanted))
    return { what: `${distinct.length} items`, list: distinct, isOther: true };
  if (!namesThings(items)) return undefined;
  const named = withFurther(schema, context, value, Math.min(wanted, mostNamed));
  const again = schema.annotation?.repeatable === true ? namedAgain(named, items) : undefined;
  if (again !== undefined) return { what: 'two items that name the same', list: again, isOther: false };
  const what = `${named.length} items, each with a name of its own`;
  return named.length > value.length ? { what, list: named, isOther: false } : undefined;
}

/** Returns the whole numbers within narrow bounds but the last: all of them may mean the same as none. */
function wholeNumbers(items: Schema, most: number): number[] | undefined {
  const item = nodeOf(items);
  const { low = 0, high = Number.POSITIVE_INFINITY } =
    item.kind === 'number' && isWhole(items) ? limits(item.schema) : {};
  return high - low <= most ? Array.from({ length: high - low }, (_, at) => low + at) : undefined;
}

/** Returns a list made longer with items of its own kind, each told apart by its number; empty if it cannot be. */
function manyOf(list: readonly Json[], items: Schema, count: number): Json[] {
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
function namedAgain(list: Json, items: Schema): Json[] | undefined {
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
