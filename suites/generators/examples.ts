import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { present } from '../../contracts/present.ts';
import { isValid } from '../../contracts/validation.ts';
import { effective } from './conditions.ts';
import {
  belongs,
  capabilityMissing,
  extraSchema,
  type GenerationContext,
  isGroups,
  isReference,
  obstacle,
  wordsFor,
} from './context.ts';
import { groupDetails, groupsOf } from './groups.ts';
import { exampleValues, memberSchemas, nodeOf, sendableBooleans, takesNull, valuesAlone } from './node.ts';
import { exampleNumbers } from './numbers.ts';
import { realisticTexts } from './texts.ts';

/**
 * Returns the example of a schema for a context: deterministic, valid, unremarkable. Undefined if no value can be sent
 * (a reference without words, a guarded field …).
 */
export const exampleOf = (schema: Schema, context: GenerationContext): Json | undefined =>
  examplesIn(context)(schema)[0];

/** Memoised, because a list asks for the example of its items once for each of them. */
const examplesIn = memoized((context: GenerationContext) =>
  memoized((schema: Schema): readonly [Json | undefined] => [made(schema, context)]),
);

function made(schema: Schema, context: GenerationContext): Json | undefined {
  if (schema.annotation?.semantics === 'guarded' || capabilityMissing(schema, context.capabilities)) return undefined;
  if (isReference(schema)) return referenced(schema, context);
  if (obstacle(schema, context) !== undefined) return takesNull(schema) ? null : undefined;
  const named = exampleValues(schema)[0];
  if (named !== undefined) return named;
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'any':
      return undefined;
    case 'enum':
      return valuesAlone(node.schema)[0] ?? node.schema.enum[0];
    case 'const':
      return node.schema.const;
    case 'null':
      return null;
    case 'boolean':
      // Prefer the value that is most likely accepted.
      return schema.annotation?.uncertain === true || schema.annotation?.uncertain?.includes(true)
        ? false
        : (sendableBooleans(schema)[0] ?? false);
    case 'string':
      return realisticTexts(node.schema)[0];
    case 'number':
      return exampleNumbers(node.schema)[0];
    case 'union':
      return node.schema.anyOf.map(branch => exampleOf(branch, context)).find(value => value !== undefined);
    case 'array':
      return exampleArray(node.schema, context);
    case 'object':
      return exampleObject(node.schema, context, {});
  }
}

/** Returns the first word that fits. An object that the target declares gets examples of its other members. */
function referenced(schema: Schema, context: GenerationContext): Json | undefined {
  const word = wordsFor(schema, context)[0];
  if (word === undefined) return takesNull(schema) ? null : undefined;
  const node = nodeOf(schema);
  return node.kind === 'object' && isObject(word) ? exampleObject(node.schema, context, word) : word;
}

function exampleArray(schema: ArraySchema, context: GenerationContext): Json[] | undefined {
  if (isGroups(schema)) {
    const details = exampleObject(groupDetails(schema), context, {}) ?? {};
    return groupsOf([50, 50], [details, details], undefined);
  }
  if (schema.maxItems === 0) return [];
  if (schema.items === undefined) return Array.from({ length: schema.minItems ?? 0 }, () => 'anything');
  const item = exampleOf(schema.items, context);
  if (item === undefined) return schema.minItems ? undefined : [];
  return Array.from({ length: Math.max(schema.minItems ?? 1, 1) }, () => item);
}

/** Adds to the given members examples of all others that may be sent. */
export function exampleObject(
  schema: ObjectSchema,
  context: GenerationContext,
  given: JsonObject,
): JsonObject | undefined {
  const members: JsonObject = { ...given };
  for (const [name, member] of memberSchemas(schema)) {
    const isRequired = schema.required?.includes(name) === true;
    if (Object.hasOwn(members, name) || !(isRequired || belongs(member, context))) continue;
    const value = exampleOf(member, context);
    if (value !== undefined) members[name] = value;
    else if (isRequired) return undefined;
  }
  if (schema.properties === undefined && Object.keys(members).length === 0 && schema.additionalProperties !== false) {
    const unknown = extraSchema(schema);
    Object.assign(members, present({ color: unknown === undefined ? 'blue' : exampleOf(unknown, context) }));
  }
  return completed(schema, members, context);
}

/**
 * Brings an object inside its conditions: adds missing required members, and replaces members that a condition narrows
 * by examples. Undefined if one of them has no value that can be sent.
 */
export function completed(schema: ObjectSchema, value: JsonObject, context: GenerationContext): JsonObject | undefined {
  let body = value;
  for (let round = 0; round <= (schema.allOf?.length ?? 0); round++) {
    const holding = effective(schema, body);
    if (holding === schema) return body;
    const before = body;
    for (const [name, member] of memberSchemas(holding)) {
      const isNarrowed = member !== schema.properties?.[name];
      const isWanting = Object.hasOwn(body, name)
        ? isNarrowed && !isValid(member, body[name] ?? null)
        : holding.required?.includes(name);
      if (!isWanting) continue;
      const next = exampleOf(member, context);
      if (next === undefined) return undefined;
      body = { ...body, [name]: next };
    }
    if (body === before) return body;
  }
  return body;
}
