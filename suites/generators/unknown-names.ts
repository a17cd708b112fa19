import type { ObjectSchema, ReferenceKind, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { capabilityMissing, isReference, standsBeside } from './context.ts';
import { exampleOf } from './examples.ts';
import { nodeOf } from './node.ts';

/** A body in which one reference names nothing. */
export interface UnknownName {
  readonly field: string;
  readonly body: JsonObject;
}

/** Makes a well-formed name of a kind. */
type Word = (kind: ReferenceKind | undefined) => string;

/** Returns a value with its first reference replaced by a name of nothing; undefined if it has none. */
function renamed(schema: Schema, value: Json | undefined, word: Word): Json | undefined {
  const node = nodeOf(schema);
  const { semantics, refersTo } = schema.annotation ?? {};
  if (semantics === 'guarded') return undefined;
  switch (node.kind) {
    case 'string':
      return isReference(schema) ? word(refersTo) : undefined;
    case 'union':
      return node.schema.anyOf.map(branch => renamed(branch, value, word)).find(found => found !== undefined);
    case 'array': {
      const item = renamed(node.schema.items ?? {}, Array.isArray(value) ? value[0] : undefined, word);
      return item === undefined ? undefined : [item, ...(Array.isArray(value) ? value.slice(1) : [])];
    }
    case 'object': {
      if (node.schema.properties === undefined) return refersTo === undefined ? undefined : { name: word(refersTo) };
      for (const [name, member] of Object.entries(node.schema.properties)) {
        const other = renamed(member, isObject(value) ? (value[name] as Json) : undefined, word);
        if (other !== undefined) return { ...(isObject(value) ? value : {}), [name]: other };
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Returns bodies in each of which one field names something that does not exist: whether that is accepted is open. Left
 * out are fields that need others which the template lacks, fields that need an undeclared capability, and fields that
 * no answer proves to be put back.
 */
export const unknownNames = (
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
  word: Word,
): readonly UnknownName[] =>
  Object.entries(schema.properties ?? {}).flatMap(([field, own]): readonly UnknownName[] => {
    const { annotation } = own;
    const isProvable = annotation?.compare !== 'never' && standsBeside(annotation, template);
    if (capabilityMissing(own, capabilities) || !isProvable) return [];
    const value = renamed(own, template[field] ?? exampleOf(own, { capabilities, root: template }), word);
    return value === undefined ? [] : [{ field, body: { ...template, [field]: value } }];
  });
