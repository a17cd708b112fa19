import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { join, put } from '../../contracts/pointer.ts';
import type { Level } from '../../contracts/report/journal.ts';
import {
  belongs,
  capabilityMissing,
  type GenerationContext,
  isGroups,
  isReference,
  variedIndex,
  wordsFor,
} from './context.ts';
import { exampleOf } from './examples.ts';
import { agreeing, groupDetails } from './groups.ts';
import { acceptanceLevel } from './levels.ts';
import { listEdges } from './list-edges.ts';
import { exampleValues, nodeOf, sendableBooleans } from './node.ts';
import { type LabelledValue, numberEdges, textEdges } from './scalar-edges.ts';

/** The label of an edge that names something that exists at the target. */
export const existingName = 'a name that exists';

/** A valid value that exercises one keyword, and the place within the field where it does. */
export interface Edge {
  /** Pointer within the field's value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly what: string;
  /** The whole value of the field. */
  readonly value: Json;
  readonly level: Level;
}

/**
 * Lists the valid values of a field that are worth sending, one at a time: examples, each stated boundary, each member
 * of a closed set, documented null, and the extremes that nothing forbids. Parts are varied within a whole that is
 * otherwise an example.
 * @param current the template's value; it is varied in place, so that its references stay.
 */
export function edgesOf(schema: Schema, context: GenerationContext, current?: Json, depth = 0): Edge[] {
  const edges = edgesWithin(schema, context, current, depth);
  // If any value of a field may be refused, so may any value of its parts.
  return schema.annotation?.uncertain === true
    ? edges.map(edge => (edge.pointer === '' ? edge : { ...edge, level: 'SHOULD' }))
    : edges;
}

function edgesWithin(schema: Schema, context: GenerationContext, current: Json | undefined, depth: number): Edge[] {
  if (schema.annotation?.semantics === 'guarded') return [];
  const node = nodeOf(schema);
  const own = (values: readonly LabelledValue[]): Edge[] =>
    values.map(([keyword, what, value]) => ({
      pointer: '',
      keyword,
      what,
      value,
      level: acceptanceLevel(schema, value, context, current),
    }));
  const nulls: Edge[] = node.nullable ? own([['null', 'documented null', null]]) : [];
  if (isReference(schema)) {
    if (capabilityMissing(schema, context.capabilities)) return [];
    // Keep the references of the template: another existing name need not fit there.
    if (current !== undefined && current !== null) return nulls;
    const words = own(exampleReferences(schema, context).map(value => ['example', existingName, value]));
    return [...words, ...nulls];
  }
  switch (node.kind) {
    case 'any':
      return own(exampleValues(schema).map(value => ['example', 'an ordinary value', value]));
    case 'enum':
      return own(node.schema.enum.map(value => ['enum', `${JSON.stringify(value)}`, value]));
    case 'const':
      return own([['const', 'its constant', node.schema.const]]);
    case 'null':
      return own([['null', 'null', null]]);
    case 'boolean':
      return [...own(sendableBooleans(schema).map(value => ['boolean', String(value), value])), ...nulls];
    case 'string':
      return [...own(textEdges(node.schema, depth, current)), ...nulls];
    case 'number':
      return [...own(numberEdges(node.schema)), ...nulls];
    case 'union':
      return node.schema.anyOf.flatMap(branch => edgesOf(branch, context, undefined, depth));
    case 'array':
      return [
        ...itemEdges(node.schema, context, current, depth),
        ...own(listEdges(node.schema, context, current)),
        ...nulls,
      ];
    case 'object':
      return [...objectEdges(node.schema, context, current, depth), ...nulls];
  }
}

function exampleReferences(schema: Schema, context: GenerationContext): readonly Json[] {
  const words = wordsFor(schema, context);
  if (nodeOf(schema).kind !== 'object') return words.slice(0, 4);
  const first = exampleOf(schema, context);
  return first === undefined ? [] : [first];
}

/** Returns the edges of the one item of a list that is varied, each within the whole list. */
function itemEdges(schema: ArraySchema, context: GenerationContext, current: Json | undefined, depth: number): Edge[] {
  if (schema.items === undefined || schema.maxItems === 0) return [];
  const base = Array.isArray(current) && current.length > 0 ? current : exampleOf(schema, context);
  if (!Array.isArray(base) || base.length === 0) return [];
  const index = variedIndex(schema, base);
  if (index < 0) return [];
  const item = isGroups(schema) ? groupDetails(schema) : schema.items;
  const known = Array.isArray(current) ? current[index] : undefined;
  const first = base[index] ?? null;
  const edges = edgesOf(item, context, isGroups(schema) ? (known ?? first) : known, depth + 1);
  return edges.map(edge => ({
    ...edge,
    pointer: join('', index) + edge.pointer,
    value: isGroups(schema) ? agreeing(schema, base.with(index, edge.value), index) : base.with(index, edge.value),
  }));
}

/**
 * Returns the object as a whole; then, member by member, its edges within the whole and the member without its
 * siblings.
 */
function objectEdges(
  schema: ObjectSchema,
  context: GenerationContext,
  current: Json | undefined,
  depth: number,
): Edge[] {
  const level = (value: Json) => acceptanceLevel(schema, value, context, current);
  const whole = isObject(current) ? current : exampleOf(schema, context);
  if (!isObject(whole)) return [];
  const first = { pointer: '', keyword: 'example', what: 'all its plain fields', value: whole, level: level(whole) };
  if (schema.properties === undefined) {
    const free: Json[] = [...exampleValues(schema), {}, { nested: { list: [1, 'two', null], flag: true } }];
    const sent = schema.additionalProperties === undefined || schema.additionalProperties === true ? free : [];
    return [first, ...sent.map(value => ({ ...first, what: 'a free-form object', value, level: level(value) }))];
  }
  const required = Object.fromEntries((schema.required ?? []).map(name => [name, whole[name] ?? null]));
  const edges: Edge[] = [first];
  for (const [name, member] of Object.entries(schema.properties)) {
    if (!belongs(member, context)) continue;
    const at = join('', name);
    const known = isObject(current) ? current[name] : undefined;
    for (const edge of edgesOf(member, context, known, depth + 1))
      edges.push({ ...edge, pointer: at + edge.pointer, value: put(whole, at, edge.value) });
    if (depth > 0 || schema.required?.includes(name) || !Object.hasOwn(whole, name)) continue;
    const alone = { ...required, [name]: whole[name] ?? null };
    edges.push({ pointer: at, keyword: 'example', what: 'without its siblings', value: alone, level: level(alone) });
  }
  return edges;
}
