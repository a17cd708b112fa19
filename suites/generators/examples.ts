import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { effective } from './conditions.ts';
import {
  belongs,
  capabilityMissing,
  extraSchema,
  type GenerationContext,
  isGroups,
  isReference,
  obstacle,
} from './context.ts';
import { groupDetails, groupsOf } from './groups.ts';
import { conforms } from './judge.ts';
import { exampleValues, nodeOf, takesNull } from './node.ts';
import { exampleNumbers } from './numbers.ts';
import { referencesFor } from './references.ts';
import { realisticTexts } from './texts.ts';

/** What a free-form object holds when nothing is known of it. */
const freeForm: JsonObject = { color: 'blue' };

/**
 * The one ordinary value of a schema for a context: deterministic, valid, as unremarkable as can be. Undefined where the capabilities has
 * no value to offer (a reference without words, a guarded field …).
 */
export function exampleOf(schema: Schema, context: GenerationContext): Json | undefined {
  const { capabilities } = context;
  if (capabilities !== undefined) {
    if (schema.annotation?.semantics === 'guarded' || capabilityMissing(schema, capabilities)) return undefined;
    if (isReference(schema)) return referenced(schema, context);
    if (obstacle(schema, context) !== undefined) return takesNull(schema) ? null : undefined;
  }
  const named = exampleValues(schema)[0];
  if (named !== undefined) return named;
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'any':
      return 'anything';
    case 'enum':
      return node.schema.enum[0];
    case 'const':
      return node.schema.const;
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'string':
      return realisticTexts(node.schema)[0];
    case 'number':
    case 'integer':
      return exampleNumbers(node.schema, node.kind === 'integer')[0];
    case 'union': {
      for (const branch of node.schema.anyOf) {
        const value = exampleOf(branch, context);
        if (value !== undefined) return value;
      }
      return undefined;
    }
    case 'array':
      return exampleArray(node.schema, context);
    case 'object':
      return exampleObject(node.schema, context, {});
  }
}

/** The first word that fits; for an object of the target's, its plain members beside. */
function referenced(schema: Schema, context: GenerationContext): Json | undefined {
  const word = context.capabilities === undefined ? undefined : referencesFor(schema, context.capabilities)[0];
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

/** All members that may be sent, at ordinary values, on top of those that are given. */
export function exampleObject(
  schema: ObjectSchema,
  context: GenerationContext,
  given: JsonObject,
): JsonObject | undefined {
  const members: JsonObject = { ...given };
  const required = new Set(schema.required);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(members, name) || (!required.has(name) && !belongs(member, context))) continue;
    const value = exampleOf(member, context);
    if (value !== undefined) members[name] = value;
    else if (required.has(name)) return undefined;
  }
  const unknown = extraSchema(schema);
  if (schema.properties === undefined && Object.keys(members).length === 0 && schema.additionalProperties !== false) {
    const value = unknown === undefined ? freeForm : exampleOf(unknown, context);
    if (value !== undefined) Object.assign(members, unknown === undefined ? freeForm : { color: value });
  }
  return completed(schema, members, context);
}

/**
 * The object with what its conditions ask for besides: missing required members added, members that a condition narrows brought
 * inside. Undefined where the capabilities has nothing to offer for one of them.
 */
export function completed(schema: ObjectSchema, value: JsonObject, context: GenerationContext): JsonObject | undefined {
  let body = value;
  for (let round = 0; round <= (schema.allOf?.length ?? 0); round++) {
    const holding = effective(schema, body);
    if (holding === schema) return body;
    const before = body;
    for (const [name, member] of Object.entries(holding.properties ?? {})) {
      const present = Object.hasOwn(body, name);
      const narrowed = member !== schema.properties?.[name];
      const wanting = present ? narrowed && !conforms(member, body[name] ?? null) : holding.required?.includes(name);
      if (!wanting) continue;
      const next = exampleOf(member, context);
      if (next === undefined) return undefined;
      body = { ...body, [name]: next };
    }
    if (body === before) return body;
  }
  return body;
}
