import type { ArraySchema, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { join, put } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import type { Mutation } from './cases.ts';
import { applies, effective } from './conditions.ts';
import { extraSchema, variedIndexes } from './context.ts';
import { nearMisses } from './near-misses.ts';
import { exampleValues, nodeOf } from './node.ts';
import { wrongTypes } from './wrong-types.ts';

/**
 * Lists every way to break a schema in one place of a valid value: each keyword in each way it allows, at every depth
 * of the value. Deterministic. Pointers are relative to the value.
 */
export function mutationsOf(schema: Schema, valid: Json, depth: number): Mutation[] {
  const node = nodeOf(schema);
  if (node.kind === 'any') return [];
  if (node.kind === 'union') return unionMutations(schema, node.schema.anyOf, valid, depth);
  const keyword = node.kind === 'enum' || node.kind === 'const' ? node.kind : 'type';
  const types: Mutation[] = wrongTypes(schema, valid, depth > 0).map(([what, sent]) => ({
    pointer: '',
    keyword,
    level: 'SHOULD',
    what,
    sent,
  }));
  const misses: Mutation[] = nearMisses(schema, valid).map(miss => ({ pointer: '', level: 'MUST', ...miss }));
  return [...misses, ...partMutations(schema, valid, depth), ...types];
}

/** Returns the mutations of the parts of a value: its items, its members, the members it must have. */
function partMutations(schema: Schema, valid: Json, depth: number): Mutation[] {
  const node = nodeOf(schema);
  if (node.kind === 'array' && Array.isArray(valid)) return itemMutations(node.schema, valid, depth);
  if (node.kind === 'object' && isObject(valid)) return objectMutations(node.schema, valid, depth);
  return [];
}

/** True if a mutation sends a value of another type, other than null. */
const isConfusion = ({ level, sent }: Mutation): boolean => level === 'SHOULD' && sent !== undefined && sent !== null;

/**
 * Returns the mutations of the items of a list. Values of other types stand in the last item that may be varied,
 * because a check of the first alone misses them. All else stands in the first.
 */
function itemMutations(schema: ArraySchema, valid: readonly Json[], depth: number): Mutation[] {
  const { items } = schema;
  if (items === undefined || valid.length === 0) return [];
  const varied = variedIndexes(schema, valid);
  const [first, last] = [varied[0] ?? 0, varied.at(-1) ?? 0];
  const of = (index: number): Mutation[] =>
    within(join('', index), mutationsOf(items, valid[index] as Json, depth + 1));
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
    const stated = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const wide = stated ? schema.properties?.[name] : extraSchema(schema);
    const narrow =
      holding.properties !== undefined && Object.hasOwn(holding.properties, name)
        ? holding.properties[name]
        : undefined;
    if (wide !== undefined) mutations.push(...within(at, mutationsOf(wide, value, depth + 1)));
    if (narrow !== undefined && narrow !== wide)
      mutations.push(...within(at, narrowedMutations(wide, narrow, value, depth + 1)));
  }
  if (schema.additionalProperties === false) {
    const name = unusedName(schema, valid);
    mutations.push({
      pointer: join('', name),
      keyword: 'additionalProperties',
      level: 'MUST',
      what: 'a member that is not allowed',
      sent: 'unexpected',
    });
  } else if (
    extraSchema(schema) !== undefined &&
    Object.keys(valid).every(name => schema.properties?.[name] !== undefined)
  )
    mutations.push(...extraMutations(schema, valid));
  return mutations.filter(one => isBroken(schema, valid, one));
}

/** Returns a mutation that adds a broken unnamed member, for a value that has none to mutate. */
function extraMutations(schema: ObjectSchema, valid: JsonObject): Mutation[] {
  const unknown = extraSchema(schema);
  const wrong = unknown === undefined ? [] : wrongTypes(unknown, null, true);
  const pointer = join('', unusedName(schema, valid));
  return wrong.slice(0, 1).map(([what, sent]) => ({
    pointer,
    keyword: 'additionalProperties',
    level: 'SHOULD',
    what: `an extra member, ${what}`,
    sent,
  }));
}

function unusedName(schema: ObjectSchema, valid: JsonObject): string {
  let name = 'unexpected';
  while (Object.hasOwn(valid, name) || Object.hasOwn(schema.properties ?? {}, name)) name += 'X';
  return name;
}

/**
 * Returns what a condition forbids beyond the wide schema: the mutations of the narrow schema that the wide one
 * accepts.
 */
function narrowedMutations(wide: Schema | undefined, narrow: Schema, value: Json, depth: number): Mutation[] {
  const wider = wide === undefined ? [] : forbiddenExamples(wide, narrow, value);
  return [...wider, ...mutationsOf(narrow, value, depth)]
    .filter(one => wide === undefined || isValid(wide, put(value, one.pointer, one.sent)))
    .map(one => ({ ...one, keyword: 'allOf' as const, level: 'MUST' as const }));
}

/** Returns the examples of the wide schema that the narrow one forbids. */
function forbiddenExamples(wide: Schema, narrow: Schema, value: Json): Mutation[] {
  return exampleValues(wide)
    .filter(each => !isValid(narrow, each) && JSON.stringify(each) !== JSON.stringify(value))
    .map(sent => ({
      pointer: '',
      keyword: 'allOf',
      level: 'MUST',
      what: `${JSON.stringify(sent)}, right elsewhere`,
      sent,
    }));
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
function unionMutations(schema: Schema, branches: readonly Schema[], valid: Json, depth: number): Mutation[] {
  const seen = new Set<string>();
  return branches
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
