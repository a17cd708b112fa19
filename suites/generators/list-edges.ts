import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { type GenerationContext, isGroups, isReference, namelessItem, wordsFor } from './context.ts';
import { exampleOf } from './examples.ts';
import { sharedOut } from './groups.ts';
import { exampleValues, memberSchemas, nodeOf } from './node.ts';
import { inRange, limits } from './numbers.ts';
import type { LabelledValue } from './scalar-edges.ts';
import { realisticTexts } from './texts.ts';
import { namingMembers } from './varied.ts';

/**
 * Lists the arrays of a schema worth sending as a whole: at their bounds, empty, with a few items and with many. A list
 * of the template's objects that name something keeps its length.
 */
export function listEdges(
  schema: ArraySchema,
  context: GenerationContext,
  current: Json | undefined,
): readonly LabelledValue[] {
  if (isGroups(schema)) return sharedOut(current);
  const named = exampleValues(schema).map((value): LabelledValue => ['example', 'an ordinary list', value]);
  if (Array.isArray(current) && current.length > 0 && namingMembers(schema.items).length > 0) return named;
  const { minItems = 0, maxItems } = schema;
  const wanted: [string, string, number][] = [
    ['example', 'two items', 2],
    ['minItems', `exactly ${minItems} items`, schema.minItems ?? -1],
    ['maxItems', `exactly ${maxItems} items`, maxItems ?? -1],
    ['extreme', 'no item', emptiable(schema, current) ? 0 : -1],
    ['extreme', 'twenty items', schema.items === undefined ? -1 : 20],
  ];
  const edges = wanted.flatMap(([keyword, what, length]): LabelledValue[] => {
    if (length < minItems || length > (maxItems ?? Number.POSITIVE_INFINITY)) return [];
    const value = listOf(schema, context, length);
    return value === undefined ? [] : [[keyword, what, value]];
  });
  const repeated = schema.annotation?.compare === 'tags' ? listOf(schema, context, 2) : undefined;
  if (repeated?.[0] !== undefined) edges.push(['extreme', 'a repeated item', [...repeated, repeated[0]]]);
  return [...named, ...edges];
}

/** True if a list may be sent empty: the template does not fill it, and it does not depend on another field. */
export function emptiable(schema: ArraySchema, current: Json | undefined): boolean {
  return schema.minItems === 0 || (current === undefined && schema.annotation?.beside === undefined);
}

/**
 * Returns a list of `length` different items, which repeat only to reach a stated bound; undefined if there are too
 * few.
 */
function listOf(schema: ArraySchema, context: GenerationContext, length: number): Json[] | undefined {
  if (length === 0) return [];
  if (schema.items === undefined || namelessItem(schema.items, context) !== undefined) return undefined;
  const first = exampleOf(schema.items, context);
  if (first === undefined) return undefined;
  const values = distinctItems(schema.items, context, first);
  const mayRepeat =
    (length === schema.minItems || length === schema.maxItems) && wordsIn(schema.items, context) === undefined;
  if (values.length < length && !mayRepeat) return undefined;
  return Array.from({ length }, (_, index) => values[index % values.length] ?? first);
}

/** Returns the target's words for a reference; undefined if the schema is none. */
const wordsIn = (schema: Schema, context: GenerationContext): readonly Json[] | undefined =>
  isReference(schema) ? wordsFor(schema, context) : undefined;

function distinctItems(items: Schema, context: GenerationContext, first: Json): readonly Json[] {
  const words = wordsIn(items, context);
  if (words !== undefined) return words;
  const node = nodeOf(items);
  if (node.kind === 'enum') return node.schema.enum;
  if (node.kind === 'string') return realisticTexts(node.schema);
  if (node.kind === 'number') {
    const { low = 0, high = low + 1000 } = limits(node.schema, true);
    const whole = Array.from({ length: Math.min(Math.floor(high - low) + 1, 30) }, (_, index) => low + index);
    const kept = whole.filter(value => inRange(node.schema, value));
    return kept.length > 0 ? kept : [first];
  }
  if (node.kind === 'object' && isObject(first)) return objectsLike(node.schema, first, context);
  return [first];
}

/** Returns objects that differ in what they name, or else in the first of their texts. */
function objectsLike(schema: ObjectSchema, first: JsonObject, context: GenerationContext): Json[] {
  for (const [name, member] of memberSchemas(schema)) {
    if (!Object.hasOwn(first, name)) continue;
    const words = wordsIn(member, context);
    const node = nodeOf(member);
    const named = exampleValues(member);
    const values = words ?? (named.length < 2 && node.kind === 'string' ? realisticTexts(node.schema) : named);
    if (words !== undefined || values.length > 1) return values.map(value => ({ ...first, [name]: value }));
  }
  return [first];
}
