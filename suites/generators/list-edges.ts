import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { type GenerationContext, isGroups, isReference, namelessItem } from './context.ts';
import { exampleOf } from './examples.ts';
import { sharedOut } from './groups.ts';
import { exampleValues, nodeOf } from './node.ts';
import { inRange, limits } from './numbers.ts';
import { referencesFor } from './references.ts';
import type { LabelledValue } from './scalar-edges.ts';
import { realisticTexts } from './texts.ts';

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
  if (Array.isArray(current) && current.length > 0 && schema.items !== undefined && namesThings(schema.items))
    return named;
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

/** True if items are objects which name something that exists. */
function namesThings(items: Schema): boolean {
  const node = nodeOf(items);
  return node.kind === 'object' && Object.values(node.schema.properties ?? {}).some(isReference);
}

/** True if a list may be sent empty: the template does not fill it, and it does not depend on another field. */
function emptiable(schema: ArraySchema, current: Json | undefined): boolean {
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
  const stated = length === schema.minItems || length === schema.maxItems;
  if (values.length < length && (!stated || (isReference(schema.items) && context.capabilities !== undefined)))
    return undefined;
  return Array.from({ length }, (_, index) => values[index % values.length] ?? first);
}

function distinctItems(items: Schema, context: GenerationContext, first: Json): readonly Json[] {
  const node = nodeOf(items);
  if (context.capabilities !== undefined && isReference(items)) return referencesFor(items, context.capabilities);
  if (node.kind === 'enum') return node.schema.enum;
  if (node.kind === 'string') return realisticTexts(node.schema);
  if (node.kind === 'number' || node.kind === 'integer') {
    const { low = 0, high = low + 1000 } = limits(node.schema, true);
    const whole = Array.from({ length: Math.min(Math.floor(high - low) + 1, 30) }, (_, index) => low + index);
    const kept = whole.filter(value => inRange(node.schema, value, node.kind === 'integer'));
    return kept.length > 0 ? kept : [first];
  }
  if (node.kind === 'object' && isObject(first)) return objectsLike(node.schema, first, context);
  return [first];
}

/** Returns objects that differ in what they name, or else in the first of their texts. */
function objectsLike(schema: ObjectSchema, first: JsonObject, context: GenerationContext): Json[] {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const node = nodeOf(member);
    if (!Object.hasOwn(first, name)) continue;
    if (isReference(member) && context.capabilities !== undefined)
      return referencesFor(member, context.capabilities).map(word => ({ ...first, [name]: word }));
    const named = exampleValues(member);
    if (named.length > 1) return named.map(word => ({ ...first, [name]: word }));
    if (node.kind !== 'string') continue;
    const texts = realisticTexts(node.schema);
    if (texts.length > 1) return texts.map(text => ({ ...first, [name]: text }));
  }
  return [first];
}
