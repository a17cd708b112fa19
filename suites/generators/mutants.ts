import type { ObjectSchema, Schema, UnionSchema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { join, put, same } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import type { Mutation } from './cases.ts';
import { applies, effective } from './conditions.ts';
import { extraSchema, variedIndexes } from './context.ts';
import { nearMisses } from './near-misses.ts';
import { exampleValues, memberSchema, nodeOf } from './node.ts';
import { wrongTypes } from './wrong-types.ts';

/**
 * Lists every way to break a schema in one place of a valid value: each keyword in each way it allows, at every depth
 * of the value. Deterministic. Pointers are relative to the value.
 */
export function mutationsOf(schema: Schema, valid: Json, depth: number): Mutation[] {
  const node = nodeOf(schema);
  if (node.kind === 'any') return [];
  if (node.kind === 'union') return unionMutations(node.schema, valid, depth);
  const keyword = node.kind === 'enum' || node.kind === 'const' ? node.kind : 'type';
  const types: Mutation[] = wrongTypes(schema, valid, depth > 0).map(([what, sent]) => ({
    pointer: '',
    keyword,
    level: 'SHOULD',
    what,
    sent,
  }));
  const misses: Mutation[] = nearMisses(schema, valid).map(miss => ({ pointer: '', level: 'MUST', ...miss }));
  const items = Array.isArray(valid) ? itemMutations(schema, valid, depth) : [];
  const members = node.kind === 'object' && isObject(valid) ? objectMutations(node.schema, valid, depth) : [];
  return [...misses, ...items, ...members, ...types];
}

/** True if a mutation sends a value of another type, other than null. */
const isConfusion = ({ level, sent }: Mutation): boolean => level === 'SHOULD' && sent !== undefined && sent !== null;

/**
 * Returns the mutations of the items of a list. Values of other types stand in the last item that may be varied,
 * because a check of the first alone misses them. All else stands in the first.
 */
function itemMutations(schema: Schema, valid: readonly Json[], depth: number): Mutation[] {
  const { items } = schema;
  if (items === undefined || valid.length === 0) return [];
  const varied = variedIndexes(schema, valid);
  const [first, last] = [varied[0] ?? 0, varied.at(-1) ?? 0];
  const of = (index: number): Mutation[] =>
    within(join('', index), mutationsOf(items, valid[index] ?? null, depth + 1));
  if (first === last) return of(first);
  return [...of(first).filter(one => !isConfusion(one)), ...of(last).filter(isConfusion)];
}

/** Returns the mutations of a part of a value, at a pointer, as mutations of the value. */
export const within = (pointer: string, mutations: readonly Mutation[]): Mutation[] =>
  mutations.map(one => ({ ...one, pointer: pointer + one.pointer }));

/** Returns the mutations that leave out one of the members that an object must have, unless the outcome is open. */
export function leftOut(schema: ObjectSchema, valid: JsonObject): Mutation[] {
  const present = new Set(effective(schema, valid).required?.filter(name => Object.hasOwn(valid, name)));
  return [...present].flatMap((name): Mutation[] => {
    const keyword = schema.required?.includes(name) ? 'required' : 'allOf';
    const level = schema.properties?.[name]?.annotation?.missed ?? 'MUST';
    return level === 'OPEN' ? [] : [{ pointer: join('', name), keyword, level, what: 'left out' }];
  });
}

function objectMutations(schema: ObjectSchema, valid: JsonObject, depth: number): Mutation[] {
  const holding = effective(schema, valid);
  const mutations = leftOut(schema, valid);
  for (const [name, value] of Object.entries(valid)) {
    const at = join('', name);
    const wide = memberSchema(schema, name) ?? extraSchema(schema);
    const narrow = memberSchema(holding, name);
    if (wide !== undefined) mutations.push(...within(at, mutationsOf(wide, value, depth + 1)));
    if (narrow !== undefined && narrow !== wide)
      mutations.push(...within(at, narrowedMutations(wide, narrow, value, depth + 1)));
  }
  mutations.push(...extraMutations(schema, valid));
  return mutations.filter(one => isBroken(schema, valid, one));
}

/**
 * Returns a mutation that adds an unnamed member: any if the schema allows none, or a broken one if the value has none
 * to mutate.
 */
function extraMutations(schema: ObjectSchema, valid: JsonObject): Mutation[] {
  let name = 'unexpected';
  while (Object.hasOwn(valid, name) || memberSchema(schema, name) !== undefined) name += 'X';
  const added = { pointer: join('', name), keyword: 'additionalProperties' } as const;
  if (schema.additionalProperties === false)
    return [{ ...added, level: 'MUST', what: 'a member that is not allowed', sent: 'unexpected' }];
  const unknown = extraSchema(schema);
  if (unknown === undefined || Object.keys(valid).some(each => memberSchema(schema, each) === undefined)) return [];
  const [wrong] = wrongTypes(unknown, null, true);
  return wrong === undefined
    ? []
    : [{ ...added, level: 'SHOULD', what: `an extra member, ${wrong[0]}`, sent: wrong[1] }];
}

/**
 * Returns what a condition forbids beyond the wide schema: the mutations of the narrow schema that the wide one
 * accepts.
 */
function narrowedMutations(wide: Schema | undefined, narrow: Schema, value: Json, depth: number): Mutation[] {
  const broken = { keyword: 'allOf', level: 'MUST' } as const;
  const examples = exampleValues(wide ?? {})
    .filter(each => !isValid(narrow, each) && !same(each, value))
    .map((sent): Mutation => ({ ...broken, pointer: '', what: `${JSON.stringify(sent)}, right elsewhere`, sent }));
  return [...examples, ...mutationsOf(narrow, value, depth)]
    .filter(one => wide === undefined || isValid(wide, put(value, one.pointer, one.sent)))
    .map(one => ({ ...one, ...broken }));
}

/**
 * True if the object is invalid after a mutation. A mutation may lift a condition, so that what it breaks is right:
 * then the validator decides.
 */
function isBroken(schema: ObjectSchema, valid: JsonObject, one: Mutation): boolean {
  const uncertain = (schema.allOf ?? []).some(condition => applies(condition, valid));
  return !uncertain || !isValid(schema, put(valid, one.pointer, one.sent));
}

/** Returns the mutations of the branches that accept the value, without those whose result another branch accepts. */
function unionMutations(schema: UnionSchema, valid: Json, depth: number): Mutation[] {
  const seen = new Set<string>();
  return schema.anyOf
    .filter(branch => isValid(branch, valid))
    .flatMap(branch => mutationsOf(branch, valid, depth))
    .filter(one => {
      const text = JSON.stringify([one.pointer, one.sent]);
      if (seen.has(text)) return false;
      seen.add(text);
      return !isValid(schema, put(valid, one.pointer, one.sent));
    })
    .map(one => (one.pointer === '' ? { ...one, keyword: 'anyOf' as const } : one));
}
