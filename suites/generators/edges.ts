import type { ArraySchema, NumberSchema, ObjectSchema, Schema, StringSchema } from '../../contracts/dialect.ts';
import type { Json, Level } from './cases.ts';
import { unicodeMixture, unicodeTexts } from './characters.ts';
import { groupDetails, sharedOut } from './groups.ts';
import { levelOf } from './levels.ts';
import { listOf } from './lists.ts';
import { nodeOf, ordinaryValues } from './node.ts';
import { inRange, limits, ordinaryNumbers } from './numbers.ts';
import { ordinaryOf } from './ordinary.ts';
import { isObject, join, put } from './pointer.ts';
import { queriesAround } from './queries.ts';
import { referencesFor } from './references.ts';
import { classTexts, isFree, realisticTexts, textOfLength } from './texts.ts';
import { belongs, capabilityMissing, isGroups, isReference, type View } from './view.ts';

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
export function edgesOf(schema: Schema, view: View, current?: Json): Edge[] {
  return inner(schema, view, current, 0);
}

function inner(schema: Schema, view: View, current: Json | undefined, depth: number): Edge[] {
  if (schema.meaning?.semantics === 'guarded' && view.world !== undefined) return [];
  const node = nodeOf(schema);
  const own = (shown: readonly Shown[]): Edge[] =>
    shown.map(([keyword, what, value]) => ({
      pointer: '',
      keyword,
      what,
      value,
      level: levelOf(schema, value, view, current),
    }));
  const nulls: Edge[] = node.nullable ? own([['null', 'documented null', null]]) : [];
  if (view.world !== undefined && isReference(schema)) {
    if (capabilityMissing(schema, view.world)) return [];
    // What the template names stays named: another existing name need not fit there.
    if (current !== undefined && current !== null) return nulls;
    const words = own(ordinaryReferences(schema, view).map(value => ['ordinary', 'a name that exists', value]));
    return [...words, ...nulls];
  }
  switch (node.kind) {
    case 'any':
      return own(ordinaryValues(schema).map(value => ['ordinary', 'an ordinary value', value]));
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
      return node.schema.anyOf.flatMap(branch => inner(branch, view, undefined, depth));
    case 'array':
      return [
        ...arrayEdges(node.schema, view, current, depth),
        ...own(plainArrays(node.schema, view, current)),
        ...nulls,
      ];
    case 'object':
      return [...objectEdges(node.schema, view, current, depth), ...nulls];
  }
}

function ordinaryReferences(schema: Schema, view: View): Json[] {
  const words = view.world === undefined ? [] : referencesFor(schema, view.world);
  const node = nodeOf(schema);
  if (node.kind !== 'object') return words.slice(0, 4);
  const first = ordinaryOf(schema, view);
  return first === undefined ? [] : [first];
}

function textsShown(schema: StringSchema, depth: number, current: Json | undefined): Shown[] {
  const { minLength, maxLength, pattern, meaning } = schema;
  if (meaning?.flavour === 'sql' && typeof current === 'string')
    return queriesAround(current).map(([title, query]) => ['extreme', title, query]);
  const shown: Shown[] = realisticTexts(schema)
    .slice(0, ordinaryValues(schema).length || 1)
    .map(text => ['ordinary', 'an ordinary text', text]);
  if (minLength) shown.push(['minLength', `exactly ${minLength} characters`, textOfLength(schema, minLength)]);
  if (maxLength !== undefined)
    shown.push(['maxLength', `exactly ${maxLength} characters`, textOfLength(schema, maxLength)]);
  for (const text of classTexts(schema)) shown.push(['pattern', `every character of ${pattern}`, text]);
  if (!isFree(schema) || isReference(schema) || ordinaryValues(schema).length > 0) return shown;
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
  for (const value of ordinaryNumbers(schema, whole)) shown.push(['ordinary', `an ordinary number, ${value}`, value]);
  const stated = low !== undefined && high !== undefined;
  if (stated && !whole) {
    const fraction = Number((low + (high - low) * 0.5046).toFixed(3));
    if (inRange(schema, fraction, false)) shown.push(['ordinary', `a number with a fraction, ${fraction}`, fraction]);
  }
  const named = ordinaryValues(schema).length > 0 || schema.meaning?.flavour === 'timestamp';
  // Beyond its ordinary values a number without bounds may well make no sense (a temperature of 100000).
  if (!named && low === undefined && inRange(schema, 0, whole)) shown.push(['extreme', 'zero', 0]);
  if ((!named || low !== undefined) && inRange(schema, 365, whole)) shown.push(['extreme', 'a larger number', 365]);
  return shown;
}

/** Arrays shown as a whole: their bounds, none, a few and many. Lists of the template's objects keep their length. */
function plainArrays(schema: ArraySchema, view: View, current: Json | undefined): Shown[] {
  if (isGroups(schema)) return sharedOut(current).map(([what, keyword, value]): Shown => [keyword, what, value]);
  const named = ordinaryValues(schema).map((value): Shown => ['ordinary', 'an ordinary list', value]);
  if (Array.isArray(current) && current.length > 0 && schema.items !== undefined && namesThings(schema.items))
    return named;
  const { minItems = 0, maxItems } = schema;
  const wanted: [string, string, number][] = [
    ['ordinary', 'two items', 2],
    ['minItems', `exactly ${minItems} items`, schema.minItems ?? -1],
    ['maxItems', `exactly ${maxItems} items`, maxItems ?? -1],
    ['extreme', 'no item', emptiable(schema, current) ? 0 : -1],
    ['extreme', 'twenty items', schema.items === undefined ? -1 : 20],
  ];
  const shown = wanted.flatMap(([keyword, what, length]): Shown[] => {
    if (length < minItems || length > (maxItems ?? Number.POSITIVE_INFINITY)) return [];
    const value = listOf(schema, view, length);
    return value === undefined ? [] : [[keyword, what, value]];
  });
  const repeated = schema.meaning?.compare === 'tags' ? listOf(schema, view, 2) : undefined;
  if (repeated?.[0] !== undefined) shown.push(['extreme', 'a repeated item', [...repeated, repeated[0]]]);
  return [...named, ...shown];
}

/** Whether items are objects that name something that exists, so that the template's list is kept as long as it is. */
function namesThings(items: Schema): boolean {
  const node = nodeOf(items);
  return node.kind === 'object' && Object.values(node.schema.properties ?? {}).some(isReference);
}

/** Whether an empty list says something: not where the template fills it, nor where it gives another field its meaning. */
function emptiable(schema: ArraySchema, current: Json | undefined): boolean {
  return schema.minItems === 0 || (current === undefined && schema.meaning?.beside === undefined);
}

/** Arrays shown by their first item: that item at each of its own edges. */
function arrayEdges(schema: ArraySchema, view: View, current: Json | undefined, depth: number): Edge[] {
  if (schema.items === undefined || schema.maxItems === 0) return [];
  const base = Array.isArray(current) && current.length > 0 ? current : ordinaryOf(schema, view);
  if (!Array.isArray(base) || base.length === 0) return [];
  const item = isGroups(schema) ? groupDetails(schema) : schema.items;
  const known = Array.isArray(current) ? current[0] : undefined;
  const first = base[0] ?? null;
  const edges = inner(item, view, isGroups(schema) ? (known ?? first) : known, depth + 1);
  return edges.map(edge => ({
    ...edge,
    pointer: join('', 0) + edge.pointer,
    value: base.with(0, edge.value),
  }));
}

/** Objects shown whole, then member by member within the whole, then each member without its siblings. */
function objectEdges(schema: ObjectSchema, view: View, current: Json | undefined, depth: number): Edge[] {
  const level = (value: Json) => levelOf(schema, value, view, current);
  const whole = isObject(current) ? current : ordinaryOf(schema, view);
  if (!isObject(whole)) return [];
  const first = { pointer: '', keyword: 'ordinary', what: 'all its plain fields', value: whole, level: level(whole) };
  if (schema.properties === undefined) {
    const free: Json[] = [...ordinaryValues(schema), {}, { nested: { list: [1, 'two', null], flag: true } }];
    const shown = schema.additionalProperties === undefined || schema.additionalProperties === true ? free : [];
    return [first, ...shown.map(value => ({ ...first, what: 'a free-form object', value, level: level(value) }))];
  }
  const required = Object.fromEntries((schema.required ?? []).map(name => [name, whole[name] ?? null]));
  const edges: Edge[] = [first];
  for (const [name, member] of Object.entries(schema.properties)) {
    if (!belongs(member, view)) continue;
    const at = join('', name);
    const known = isObject(current) ? current[name] : undefined;
    for (const edge of inner(member, view, known, depth + 1))
      edges.push({ ...edge, pointer: at + edge.pointer, value: put(whole, at, edge.value) });
    if (depth > 0 || schema.required?.includes(name) || !Object.hasOwn(whole, name)) continue;
    const alone = { ...required, [name]: whole[name] ?? null };
    edges.push({ pointer: at, keyword: 'ordinary', what: 'without its siblings', value: alone, level: level(alone) });
  }
  return edges;
}
