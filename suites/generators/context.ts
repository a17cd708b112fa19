import type { Annotation, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, join, steps } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { effective } from './conditions.ts';
import { memberSchema, memberSchemas, nodeOf, takesNull } from './node.ts';
import { referencesFor, remedyFor, unnamedBecause } from './references.ts';

/**
 * The purpose for which a value is generated. References come from the words that the target declares; guarded fields
 * and undeclared features are left out. A field that depends on others stands only in bodies (`root`) that carry those.
 */
export interface GenerationContext {
  readonly capabilities: TargetCapabilities;
  readonly root?: JsonObject;
  /** Inside an item of a list, whose members (a name and a value) belong together: none is left out. */
  readonly inItem?: true;
}

/** The reason why a field cannot be sent, and the remedy; a guarded field has none. */
export interface Obstacle {
  readonly because: string;
  readonly remedy?: string;
  /** The capability that the target does not declare. */
  readonly capability?: string;
  readonly guarded?: true;
}

/** True if an array holds experiment groups: distinct names, sizes that add up to 100. */
export function isGroups(schema: Schema): boolean {
  return schema.annotation?.formatHint === 'groups' && nodeOf(schema).kind === 'array';
}

/** True if the value of a node names something that exists at the target. */
export function isReference(schema: Schema): boolean {
  return schema.annotation?.semantics === 'reference' || schema.annotation?.refersTo !== undefined;
}

/** Reads an entry of `beside`: the pointer of the other field, and its value if one is stated. */
export function companionOf(entry: string) {
  const [path = '', text] = entry.split(/=(.*)/s);
  return { pointer: `/${path.replaceAll('.', '/')}`, text };
}

/** Returns the value that `name=text` states, in the type of the field's schema. */
export function valueFrom(schema: Schema, text: string): Json | undefined {
  const { kind } = nodeOf(schema);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number(text);
  return schema.enum === undefined ? text : schema.enum.find(value => String(value) === text);
}

/** True if a body carries every field that must stand beside an annotated one. */
export function standsBeside(annotation: Annotation | undefined, root: JsonObject): boolean {
  return (annotation?.beside ?? []).every(entry => {
    const { pointer, text } = companionOf(entry);
    const found = at(root, pointer);
    return text === undefined ? found !== undefined : String(found) === text;
  });
}

/** Returns the fields that must accompany a value of a closed set, in the form of `beside`; undefined if none must. */
export const needsOf = ({ annotation }: Schema, value: unknown): readonly string[] | undefined =>
  annotation?.valueNeeds?.[String(value)];

/** Returns the indexes of the items of a list that may be varied. */
export function variedIndexes(schema: Schema, items: readonly Json[]): readonly number[] {
  const { varies } = schema.annotation ?? {};
  if (varies === undefined) return [...items.keys()];
  const { pointer, text } = companionOf(varies);
  return [...items.keys()].filter(index => String(at(items[index], pointer)) === text);
}

/** Returns the index of the item of a list that is varied: the first that may be; -1 if none may. */
export const variedIndex = (schema: Schema, items: readonly Json[]): number => variedIndexes(schema, items)[0] ?? -1;

/** Returns the words of a reference that may stand in a body: not the value of the field from which it must differ. */
export function wordsFor(schema: Schema, { capabilities, root }: GenerationContext): readonly Json[] {
  const other = schema.annotation?.differsFrom;
  const taken = other === undefined ? undefined : root?.[other];
  return referencesFor(schema, capabilities).filter(word => taken === undefined || word !== taken);
}

/** Returns the obstacle of the node itself, without its parts. */
function ownObstacle(schema: Schema, context: GenerationContext): Obstacle | undefined {
  const { semantics, capability, refersTo } = schema.annotation ?? {};
  if (semantics === 'guarded') return { because: 'only the check that is about it sends it', guarded: true };
  if (capability !== undefined && capabilityMissing(schema, context.capabilities))
    return {
      because: `it needs the capability ${capability}, which the target does not declare`,
      remedy: `capabilities: ["${capability}"]`,
      capability,
    };
  if (!isReference(schema) || wordsFor(schema, context).length > 0) return undefined;
  const known = referencesFor(schema, context.capabilities).length;
  // The one name that is known stands in the field from which this one must differ.
  if (known > 0 && schema.annotation?.differsFrom !== undefined)
    return {
      because: `it must name something else than ${schema.annotation.differsFrom} does`,
      remedy: remedyFor(refersTo, known, known + 1),
    };
  return { because: unnamedBecause(refersTo), remedy: remedyFor(refersTo) };
}

/**
 * Returns why no value of the schema can be sent to such a target: because of its own annotation, or that of a part
 * that it cannot do without. A documented null is not considered: see `takesNull`.
 */
export function obstacle(schema: Schema, context: GenerationContext): Obstacle | undefined {
  const own = ownObstacle(schema, context);
  if (own !== undefined || isReference(schema)) return own;
  const { annotation, items, anyOf } = schema;
  if (annotation?.examples !== undefined) return undefined;
  if (items !== undefined)
    return obstacle(items, context) ?? (isGroups(schema) ? undefined : namelessItem(items, context));
  if (anyOf !== undefined) {
    const found = anyOf.map(branch => obstacle(branch, context));
    return found.includes(undefined) ? undefined : found[0];
  }
  const { kind } = nodeOf(schema);
  if (kind === 'any') return { because: 'the specification shows nothing of its values' };
  return kind === 'object' ? memberObstacle(schema, context) : undefined;
}

/** Returns the obstacle of a list item with a reference that has no words: an item that names nothing is not sent. */
export function namelessItem(items: Schema, context: GenerationContext): Obstacle | undefined {
  if (isReference(items)) return undefined;
  return memberSchemas(items)
    .filter(([, member]) => isReference(member) && !takesNull(member))
    .map(([, member]) => obstacle(member, context))
    .find(found => found !== undefined && !found.guarded);
}

function memberObstacle(schema: Schema, context: GenerationContext): Obstacle | undefined {
  const members = memberSchemas(schema);
  let first: Obstacle | undefined;
  let sendable = members.length === 0;
  for (const [name, member] of members) {
    const found = obstacle(member, context);
    if (found === undefined || takesNull(member)) {
      if (standsBeside(member.annotation, context.root ?? {})) sendable = true;
    } else if (schema.required?.includes(name)) return found;
    else if (first === undefined || (first.guarded && !found.guarded)) first = found;
  }
  return sendable ? undefined : (first ?? { because: 'none of its fields means anything alone' });
}

/** True if a member may be put into an object generated for this context. */
export function belongs(schema: Schema, context: GenerationContext): boolean {
  if (!standsBeside(schema.annotation, context.root ?? {})) return false;
  return obstacle(schema, context) === undefined || isNullReference(schema, context.capabilities);
}

/** True if a node names something that exists, or null in its place, and the target declares the feature it needs. */
export const isNullReference = (schema: Schema, capabilities: TargetCapabilities): boolean =>
  isReference(schema) && takesNull(schema) && !capabilityMissing(schema, capabilities);

/** True if a node needs a feature which the target does not declare. */
export const capabilityMissing = ({ annotation }: Schema, capabilities: TargetCapabilities): boolean =>
  annotation?.capability !== undefined && !capabilities.has(annotation.capability);

/** Returns the schema that holds at a pointer into a value; undefined if the schema states none. */
export function schemaAt(schema: Schema, value: Json | undefined, pointer: string): Schema | undefined {
  let here: Schema | undefined = schema;
  let there = value;
  for (const step of steps(pointer)) {
    if (here === undefined) return undefined;
    const node = nodeOf(here);
    const holding: Schema = node.kind === 'object' && isObject(there) ? effective(node.schema, there) : here;
    here = holding.items ?? memberSchema(holding, step) ?? extraSchema(holding);
    there = at(there, join('', step));
  }
  return here;
}

/** Returns the schema of the members that an object schema does not name, if it states one. */
export const extraSchema = ({ additionalProperties: extra }: Schema): Schema | undefined =>
  typeof extra === 'object' ? extra : undefined;
