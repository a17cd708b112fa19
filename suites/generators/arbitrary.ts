import fc from 'fast-check';
import type { ArraySchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject, objectsIn } from '../../contracts/json.ts';
import { objectArbitrary } from './arbitrary-objects.ts';
import { numberArbitrary, textArbitrary } from './arbitrary-scalars.ts';
import {
  capabilityMissing,
  type GenerationContext,
  isGroups,
  isReference,
  namelessItem,
  obstacle,
  variedIndex,
  wordsFor,
} from './context.ts';
import { exampleOf } from './examples.ts';
import { agreeing, groupDetails, groupsOf, sharesOf } from './groups.ts';
import { emptiable } from './list-edges.ts';
import { exampleValues, nodeOf, sendableBooleans, takesNull } from './node.ts';
import { queryArbitrary } from './queries.ts';
import { namingMembers } from './varied.ts';

/**
 * Draws valid values of a schema, by construction, in place of what the template has there. Edges are weighted in;
 * values shrink to examples and short ones. With capabilities, references come from their words, and what cannot be
 * sent is left out. Undefined if no value can be sent.
 */
export function arbitraryIn(
  schema: Schema,
  context: GenerationContext,
  current?: Json,
): fc.Arbitrary<Json> | undefined {
  if (schema.annotation?.semantics === 'guarded' || capabilityMissing(schema, context.capabilities)) return undefined;
  if (isReference(schema)) {
    const named = current !== undefined && current !== null;
    return named ? undefined : referenceArbitrary(schema, context);
  }
  if (obstacle(schema, context) !== undefined && current === undefined)
    return takesNull(schema) ? fc.constant(null) : undefined;
  const made = typedArbitrary(schema, context, current);
  const nullable = nodeOf(schema).nullable;
  if (made === undefined) return nullable ? fc.constant(null) : undefined;
  return nullable ? oneOf([made, 5], [fc.constant(null), 1]) : made;
}

function oneOf(...choices: readonly (readonly [fc.Arbitrary<Json>, number])[]): fc.Arbitrary<Json> {
  return fc.oneof(...choices.map(([arbitrary, weight]) => ({ arbitrary, weight })));
}

function referenceArbitrary(schema: Schema, context: GenerationContext): fc.Arbitrary<Json> | undefined {
  const words = wordsFor(schema, context);
  const node = nodeOf(schema);
  const nothing = takesNull(schema) ? [null] : [];
  const example = node.kind === 'object' ? exampleOf(schema, context) : undefined;
  const values: Json[] = [...(example === undefined ? [] : [example]), ...words, ...nothing];
  return values.length === 0 ? undefined : fc.constantFrom(...values);
}

function typedArbitrary(
  schema: Schema,
  context: GenerationContext,
  current: Json | undefined,
): fc.Arbitrary<Json> | undefined {
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'any':
      return exampleArbitrary(schema);
    case 'enum':
      return fc.constantFrom<Json>(...node.schema.enum);
    case 'const':
      return fc.constant<Json>(node.schema.const);
    case 'null':
      return fc.constant<Json>(null);
    case 'boolean':
      return fc.constantFrom<Json>(...sendableBooleans(schema));
    case 'string':
      return node.schema.annotation?.formatHint === 'sql' && typeof current === 'string'
        ? queryArbitrary(current)
        : textArbitrary(node.schema);
    case 'number':
      return numberArbitrary(node.schema);
    case 'union': {
      const branches = node.schema.anyOf.flatMap(branch => arbitraryIn(branch, context) ?? []);
      return branches.length === 0 ? undefined : fc.oneof(...branches);
    }
    case 'array':
      return isGroups(schema)
        ? groupsArbitrary(node.schema, context, current)
        : arrayArbitrary(node.schema, context, current);
    case 'object':
      return objectArbitrary(node.schema, context, current, arbitraryIn);
  }
}

/** Draws the examples of a schema that says nothing else; undefined if it has none. */
function exampleArbitrary(schema: Schema): fc.Arbitrary<Json> | undefined {
  const named = exampleValues(schema);
  return named.length === 0 ? undefined : fc.constantFrom(...named);
}

function groupsArbitrary(
  schema: ArraySchema,
  context: GenerationContext,
  current: Json | undefined,
): fc.Arbitrary<Json> {
  const known = objectsIn(current);
  const count = known.length || (schema.minItems ?? 2);
  const most = known.length > 0 ? count : Math.max(count, Math.min(schema.maxItems ?? 6, 6));
  const details = objectArbitrary(groupDetails(schema), context, undefined, arbitraryIn) ?? fc.constant({});
  return fc
    .array(fc.tuple(fc.integer({ min: 1, max: 99 }), details), { minLength: Math.max(count, 1), maxLength: most })
    .map(drawn => {
      const shares = sharesOf(drawn.map(([weight]) => weight));
      const parts = drawn.map(([, detail]) => detail as JsonObject);
      return agreeing(schema, groupsOf(shares, parts, current), 0);
    });
}

/** Draws lists. A list of the template's objects keeps its length and names: one item at a time is varied in place. */
function arrayArbitrary(
  schema: ArraySchema,
  context: GenerationContext,
  current: Json | undefined,
): fc.Arbitrary<Json> | undefined {
  const { minItems = emptiable(schema, undefined) ? 0 : 1, maxItems = minItems + 4, items } = schema;
  if (items === undefined) return exampleArbitrary(schema) ?? fc.constant<Json>([]);
  if (Array.isArray(current) && current.some(isObject)) return itemInPlace(schema, items, context, current);
  if (isReference(items)) return referenceList(schema, items, context, current);
  const isNameless = namelessItem(items, context) !== undefined;
  const item = maxItems === 0 || isNameless ? undefined : arbitraryIn(items, { ...context, inItem: true });
  if (item === undefined) return minItems > 0 ? undefined : fc.constant<Json>([]);
  // Two items that name the same thing may be one too many.
  const naming = namingMembers(items).map(([name]) => name);
  if (naming.length > 0)
    return fc.uniqueArray(item, {
      minLength: Math.min(minItems, 1),
      maxLength: Math.min(maxItems, minItems + 4),
      selector: one => (isObject(one) ? JSON.stringify(naming.map(name => one[name])) : one),
    });
  const short = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) });
  return maxItems > minItems + 4
    ? oneOf([short, 7], [fc.array(item, { minLength: maxItems, maxLength: maxItems }), 1])
    : short;
}

/** Draws lists of different words; not empty if the template's is not. */
function referenceList(
  schema: ArraySchema,
  items: Schema,
  context: GenerationContext,
  current: Json | undefined,
): fc.Arbitrary<Json> | undefined {
  const words = wordsFor(items, context);
  const minLength = Math.max(schema.minItems ?? 0, emptiable(schema, current) ? 0 : 1);
  const maxLength = Math.min(words.length, schema.maxItems ?? 5);
  return maxLength < minLength ? undefined : fc.subarray([...words], { minLength, maxLength });
}

function itemInPlace(
  schema: Schema,
  items: Schema,
  context: GenerationContext,
  current: readonly Json[],
): fc.Arbitrary<Json> | undefined {
  const only = schema.annotation?.varies === undefined ? undefined : variedIndex(schema, current);
  const places = current.flatMap((item, index) => {
    if (only !== undefined && index !== only) return [];
    const arbitrary = arbitraryIn(items, context, item);
    return arbitrary === undefined ? [] : [arbitrary.map((next): Json => current.with(index, next))];
  });
  return places.length === 0 ? undefined : fc.oneof(...places);
}
