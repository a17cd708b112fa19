import type { ArraySchema, NumberSchema, ObjectSchema, Schema, StringSchema } from '../../contracts/dialect.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { join, put } from '../../contracts/pointer.ts';
import type { Level } from './cases.ts';
import { unicodeMixture, unicodeTexts } from './characters.ts';
import { belongs, capabilityMissing, type GenerationContext, isGroups, isReference } from './context.ts';
import { exampleOf } from './examples.ts';
import { groupDetails, sharedOut } from './groups.ts';
import { levelOf } from './levels.ts';
import { listOf } from './lists.ts';
import { exampleValues, nodeOf } from './node.ts';
import { exampleNumbers, inRange, limits } from './numbers.ts';
import { queriesAround } from './queries.ts';
import { referencesFor } from './references.ts';
import { classTexts, isFree, realisticTexts, textOfLength } from './texts.ts';

/** A valid value that shows one thing, and where within the field it shows it. */
export interface Edge {
  /** Pointer within the field's value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly what: string;
  /** The whole value of the field. */
  readonly value: Json;
  readonly level: Level;
}

/** Something to show: keyword, words, value. */
type Shown = readonly [keyword: string, what: string, value: Json];

/**
 * The valid values of a field that are worth sending, one at a time: the ordinary ones, each stated boundary, each member of a
 * closed set, documented null, and the extremes that nothing forbids. Parts are varied within an otherwise ordinary whole.
 * @param current what the template has here; it is varied in place, so that what it names stays named.
 */
export function edgesOf(schema: Schema, context: GenerationContext, current?: Json): Edge[] {
  return inner(schema, context, current, 0);
}

function inner(schema: Schema, context: GenerationContext, current: Json | undefined, depth: number): Edge[] {
  if (schema.annotation?.semantics === 'guarded' && context.capabilities !== undefined) return [];
  const node = nodeOf(schema);
  const own = (shown: readonly Shown[]): Edge[] =>
    shown.map(([keyword, what, value]) => ({
      pointer: '',
      keyword,
      what,
      value,
      level: levelOf(schema, value, context, current),
    }));
  const nulls: Edge[] = node.nullable ? own([['null', 'documented null', null]]) : [];
  if (context.capabilities !== undefined && isReference(schema)) {
    if (capabilityMissing(schema, context.capabilities)) return [];
    // What the template names stays named: another existing name need not fit there.
    if (current !== undefined && current !== null) return nulls;
    const words = own(exampleReferences(schema, context).map(value => ['example', 'a name that exists', value]));
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
      return [...own([true, false].map(value => ['boolean', String(value), value])), ...nulls];
    case 'string':
      return [...own(textsShown(node.schema, depth, current)), ...nulls];
    case 'number':
    case 'integer':
      return [...own(numbersShown(node.schema, node.kind === 'integer')), ...nulls];
    case 'union':
      return node.schema.anyOf.flatMap(branch => inner(branch, context, undefined, depth));
    case 'array':
      return [
        ...arrayEdges(node.schema, context, current, depth),
        ...own(plainArrays(node.schema, context, current)),
        ...nulls,
      ];
    case 'object':
      return [...objectEdges(node.schema, context, current, depth), ...nulls];
  }
}

function exampleReferences(schema: Schema, context: GenerationContext): Json[] {
  const words = context.capabilities === undefined ? [] : referencesFor(schema, context.capabilities);
  const node = nodeOf(schema);
  if (node.kind !== 'object') return words.slice(0, 4);
  const first = exampleOf(schema, context);
  return first === undefined ? [] : [first];
}

function textsShown(schema: StringSchema, depth: number, current: Json | undefined): Shown[] {
  const { minLength, maxLength, pattern, annotation } = schema;
  if (annotation?.formatHint === 'sql' && typeof current === 'string')
    return queriesAround(current).map(([title, query]) => ['extreme', title, query]);
  const shown: Shown[] = realisticTexts(schema)
    .slice(0, exampleValues(schema).length || 1)
    .map(text => ['example', 'an ordinary text', text]);
  if (minLength) shown.push(['minLength', `exactly ${minLength} characters`, textOfLength(schema, minLength)]);
  if (maxLength !== undefined)
    shown.push(['maxLength', `exactly ${maxLength} characters`, textOfLength(schema, maxLength)]);
  for (const text of classTexts(schema)) shown.push(['pattern', `every character of ${pattern}`, text]);
  if (!isFree(schema) || isReference(schema) || exampleValues(schema).length > 0) return shown;
  const room = maxLength ?? Number.POSITIVE_INFINITY;
  const texts = depth > 0 ? [{ name: 'characters of many scripts', text: unicodeMixture }] : unicodeTexts;
  for (const { name, text } of texts)
    if (text.length <= room && text.length >= (minLength ?? 0)) shown.push(['unicode', name, text]);
  if (depth === 0 && !minLength) shown.push(['extreme', 'the empty text', '']);
  if (depth === 0) shown.push(['extreme', 'white space at both ends', '  set apart  ']);
  if (depth === 0 && maxLength === undefined)
    shown.push(['extreme', 'a text of 1000 characters', textOfLength(schema, 1000)]);
  return shown;
}

function numbersShown(schema: NumberSchema, whole: boolean): Shown[] {
  const { low, high } = limits(schema, whole);
  const shown: Shown[] = [];
  if (low !== undefined)
    shown.push([schema.minimum === low ? 'minimum' : 'exclusiveMinimum', `the least allowed, ${low}`, low]);
  if (high !== undefined)
    shown.push([schema.maximum === high ? 'maximum' : 'exclusiveMaximum', `the greatest allowed, ${high}`, high]);
  // After the bounds: where an ordinary number is one of them, it is shown as the bound.
  for (const value of exampleNumbers(schema, whole)) shown.push(['example', `an ordinary number, ${value}`, value]);
  const stated = low !== undefined && high !== undefined;
  if (stated && !whole) {
    const fraction = Number((low + (high - low) * 0.5046).toFixed(3));
    if (inRange(schema, fraction, false)) shown.push(['example', `a number with a fraction, ${fraction}`, fraction]);
  }
  const named = exampleValues(schema).length > 0 || schema.annotation?.formatHint === 'timestamp';
  // Beyond its ordinary values a number without bounds may well make no sense (a temperature of 100000).
  if (!named && low === undefined && inRange(schema, 0, whole)) shown.push(['extreme', 'zero', 0]);
  if ((!named || low !== undefined) && inRange(schema, 365, whole)) shown.push(['extreme', 'a larger number', 365]);
  return shown;
}

/** Arrays shown as a whole: their bounds, none, a few and many. Lists of the template's objects keep their length. */
function plainArrays(schema: ArraySchema, context: GenerationContext, current: Json | undefined): Shown[] {
  if (isGroups(schema)) return sharedOut(current).map(([what, keyword, value]): Shown => [keyword, what, value]);
  const named = exampleValues(schema).map((value): Shown => ['example', 'an ordinary list', value]);
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
  const shown = wanted.flatMap(([keyword, what, length]): Shown[] => {
    if (length < minItems || length > (maxItems ?? Number.POSITIVE_INFINITY)) return [];
    const value = listOf(schema, context, length);
    return value === undefined ? [] : [[keyword, what, value]];
  });
  const repeated = schema.annotation?.compare === 'tags' ? listOf(schema, context, 2) : undefined;
  if (repeated?.[0] !== undefined) shown.push(['extreme', 'a repeated item', [...repeated, repeated[0]]]);
  return [...named, ...shown];
}

/** Whether items are objects that name something that exists, so that the template's list is kept as long as it is. */
function namesThings(items: Schema): boolean {
  const node = nodeOf(items);
  return node.kind === 'object' && Object.values(node.schema.properties ?? {}).some(isReference);
}

/** Whether an empty list says something: not where the template fills it, nor where it gives another field its annotation. */
function emptiable(schema: ArraySchema, current: Json | undefined): boolean {
  return schema.minItems === 0 || (current === undefined && schema.annotation?.beside === undefined);
}

/** Arrays shown by their first item: that item at each of its own edges. */
function arrayEdges(schema: ArraySchema, context: GenerationContext, current: Json | undefined, depth: number): Edge[] {
  if (schema.items === undefined || schema.maxItems === 0) return [];
  const base = Array.isArray(current) && current.length > 0 ? current : exampleOf(schema, context);
  if (!Array.isArray(base) || base.length === 0) return [];
  const item = isGroups(schema) ? groupDetails(schema) : schema.items;
  const known = Array.isArray(current) ? current[0] : undefined;
  const first = base[0] ?? null;
  const edges = inner(item, context, isGroups(schema) ? (known ?? first) : known, depth + 1);
  return edges.map(edge => ({
    ...edge,
    pointer: join('', 0) + edge.pointer,
    value: base.with(0, edge.value),
  }));
}

/** Objects shown whole, then member by member within the whole, then each member without its siblings. */
function objectEdges(
  schema: ObjectSchema,
  context: GenerationContext,
  current: Json | undefined,
  depth: number,
): Edge[] {
  const level = (value: Json) => levelOf(schema, value, context, current);
  const whole = isObject(current) ? current : exampleOf(schema, context);
  if (!isObject(whole)) return [];
  const first = { pointer: '', keyword: 'example', what: 'all its plain fields', value: whole, level: level(whole) };
  if (schema.properties === undefined) {
    const free: Json[] = [...exampleValues(schema), {}, { nested: { list: [1, 'two', null], flag: true } }];
    const shown = schema.additionalProperties === undefined || schema.additionalProperties === true ? free : [];
    return [first, ...shown.map(value => ({ ...first, what: 'a free-form object', value, level: level(value) }))];
  }
  const required = Object.fromEntries((schema.required ?? []).map(name => [name, whole[name] ?? null]));
  const edges: Edge[] = [first];
  for (const [name, member] of Object.entries(schema.properties)) {
    if (!belongs(member, context)) continue;
    const at = join('', name);
    const known = isObject(current) ? current[name] : undefined;
    for (const edge of inner(member, context, known, depth + 1))
      edges.push({ ...edge, pointer: at + edge.pointer, value: put(whole, at, edge.value) });
    if (depth > 0 || schema.required?.includes(name) || !Object.hasOwn(whole, name)) continue;
    const alone = { ...required, [name]: whole[name] ?? null };
    edges.push({ pointer: at, keyword: 'example', what: 'without its siblings', value: alone, level: level(alone) });
  }
  return edges;
}
