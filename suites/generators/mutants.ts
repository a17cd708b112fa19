import type { ConstrainingKeyword, ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { join, put } from '../../contracts/pointer.ts';
import type { Level, Mutant } from './cases.ts';
import { applies, effective } from './conditions.ts';
import { extraSchema } from './context.ts';
import { conforms } from './judge.ts';
import { nearMisses } from './near-misses.ts';
import { exampleValues, nodeOf } from './node.ts';
import { wrongTypes } from './wrong-types.ts';

/** One way to break a node, before it is put back into the whole. */
export interface Break {
  readonly pointer: string;
  readonly keyword: ConstrainingKeyword;
  readonly level: Level;
  readonly what: string;
  /** Absent: the value at the pointer is taken away. */
  readonly sent?: Json;
}

/**
 * Every way to break a schema in one place of a valid value: each keyword in each way it allows, at every depth where the value has
 * something. Deterministic; every mutant differs from the value at exactly one pointer and does not validate.
 */
export function mutantsOf(schema: Schema, valid: Json): Mutant[] {
  return breaksOf(schema, valid, 0).map(one => ({ ...one, value: put(valid, one.pointer, one.sent) }));
}

/** The breaks of a node at its own value; pointers are relative to it. */
export function breaksOf(schema: Schema, valid: Json, depth: number): Break[] {
  const node = nodeOf(schema);
  if (node.kind === 'any') return [];
  if (node.kind === 'union') return unionBreaks(schema, node.schema.anyOf, valid, depth);
  const keyword = node.kind === 'enum' || node.kind === 'const' ? node.kind : 'type';
  const types: Break[] = wrongTypes(schema, valid, depth > 0).map(([what, sent]) => ({
    pointer: '',
    keyword,
    level: 'SHOULD',
    what,
    sent,
  }));
  const misses: Break[] = nearMisses(schema, valid).map(miss => ({ pointer: '', level: 'MUST', ...miss }));
  return [...misses, ...partBreaks(schema, valid, depth), ...types];
}

/** The breaks of the parts of a value: its first items, its members, the members it must have. */
function partBreaks(schema: Schema, valid: Json, depth: number): Break[] {
  const node = nodeOf(schema);
  if (node.kind === 'array' && Array.isArray(valid) && node.schema.items !== undefined && valid[0] !== undefined)
    return within(join('', 0), breaksOf(node.schema.items, valid[0], depth + 1));
  if (node.kind === 'object' && isObject(valid)) return objectBreaks(node.schema, valid, depth);
  return [];
}

function within(pointer: string, breaks: readonly Break[]): Break[] {
  return breaks.map(one => ({ ...one, pointer: pointer + one.pointer }));
}

function objectBreaks(schema: ObjectSchema, valid: JsonObject, depth: number): Break[] {
  const holding = effective(schema, valid);
  const breaks: Break[] = [];
  for (const name of new Set(holding.required ?? [])) {
    if (!Object.hasOwn(valid, name)) continue;
    const keyword = schema.required?.includes(name) ? 'required' : 'allOf';
    breaks.push({ pointer: join('', name), keyword, level: 'MUST', what: 'left out' });
  }
  for (const [name, value] of Object.entries(valid)) {
    const at = join('', name);
    const stated = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const wide = stated ? schema.properties?.[name] : extraSchema(schema);
    const narrow =
      holding.properties !== undefined && Object.hasOwn(holding.properties, name)
        ? holding.properties[name]
        : undefined;
    if (wide !== undefined) breaks.push(...within(at, breaksOf(wide, value, depth + 1)));
    if (narrow !== undefined && narrow !== wide)
      breaks.push(...within(at, narrowedBreaks(wide, narrow, value, depth + 1)));
  }
  if (schema.additionalProperties === false) {
    const name = unusedName(schema, valid);
    breaks.push({
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
    breaks.push(...extraBreaks(schema, valid));
  return breaks.filter(one => settles(schema, valid, one));
}

/** A member that is wrong by the schema of all members that have no name, where the value has none to break. */
function extraBreaks(schema: ObjectSchema, valid: JsonObject): Break[] {
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

/** What a condition forbids beyond the wide schema: the breaks of the narrow one that the wide one would take. */
function narrowedBreaks(wide: Schema | undefined, narrow: Schema, value: Json, depth: number): Break[] {
  const wider = wide === undefined ? [] : differingExample(wide, narrow, value);
  return [...wider, ...breaksOf(narrow, value, depth)]
    .filter(one => wide === undefined || conforms(wide, put(value, one.pointer, one.sent)))
    .map(one => ({ ...one, keyword: 'allOf' as const, level: 'MUST' as const }));
}

/** Values that are ordinary where no condition holds, and wrong where it does. */
function differingExample(wide: Schema, narrow: Schema, value: Json): Break[] {
  return exampleValues(wide)
    .filter(each => !conforms(narrow, each) && JSON.stringify(each) !== JSON.stringify(value))
    .map(sent => ({
      pointer: '',
      keyword: 'allOf',
      level: 'MUST',
      what: `${JSON.stringify(sent)}, right elsewhere`,
      sent,
    }));
}

/** A break of the member that a condition waits for may lift the condition, but never mend the break: ajv settles it where there are any. */
function settles(schema: ObjectSchema, valid: JsonObject, one: Break): boolean {
  const uncertain = (schema.allOf ?? []).some(condition => applies(condition, valid));
  return !uncertain || !conforms(schema, put(valid, one.pointer, one.sent));
}

/** The breaks of the branches that the value takes, as far as no other branch takes what comes out. */
function unionBreaks(schema: Schema, branches: readonly Schema[], valid: Json, depth: number): Break[] {
  const seen = new Set<string>();
  return branches
    .filter(branch => conforms(branch, valid))
    .flatMap(branch => breaksOf(branch, valid, depth))
    .filter(one => {
      const text = JSON.stringify([one.pointer, one.sent]);
      if (seen.has(text)) return false;
      seen.add(text);
      return !conforms(schema, put(valid, one.pointer, one.sent));
    })
    .map(one => (one.pointer === '' ? { ...one, keyword: 'anyOf' as const } : one));
}
