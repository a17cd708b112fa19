import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { type GenerationContext, isReference } from './context.ts';
import { exampleOf } from './examples.ts';
import { exampleValues, nodeOf } from './node.ts';
import { inRange, limits } from './numbers.ts';
import { referencesFor } from './references.ts';
import { realisticTexts } from './texts.ts';

/** A list of `length` different items; items repeat only to reach a stated bound. Undefined where there are not that many. */
export function listOf(schema: ArraySchema, context: GenerationContext, length: number): Json[] | undefined {
  if (length === 0) return [];
  if (schema.items === undefined) return undefined;
  const first = exampleOf(schema.items, context);
  if (first === undefined) return undefined;
  const values = distinctItems(schema.items, context, first);
  const stated = length === schema.minItems || length === schema.maxItems;
  if (values.length < length && (!stated || (isReference(schema.items) && context.capabilities !== undefined)))
    return undefined;
  return Array.from({ length }, (_, index) => values[index % values.length] ?? first);
}

function distinctItems(items: Schema, context: GenerationContext, first: Json): Json[] {
  const node = nodeOf(items);
  if (context.capabilities !== undefined && isReference(items)) return [...referencesFor(items, context.capabilities)];
  if (node.kind === 'enum') return [...node.schema.enum];
  if (node.kind === 'string') return [...realisticTexts(node.schema)];
  if (node.kind === 'number' || node.kind === 'integer') {
    const { low = 0, high = low + 1000 } = limits(node.schema, true);
    const whole = Array.from({ length: Math.min(Math.floor(high - low) + 1, 30) }, (_, index) => low + index);
    const kept = whole.filter(value => inRange(node.schema, value, node.kind === 'integer'));
    return kept.length > 0 ? kept : [first];
  }
  if (node.kind === 'object' && isObject(first)) return objectsLike(node.schema, first, context);
  return [first];
}

/** Objects that differ in what they name, or in the first of their plain texts. */
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
