import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { isValid } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import type { Mutation, RejectCase } from './cases.ts';
import { bodyFields } from './fields.ts';
import { mutationsOf, within } from './mutants.ts';
import { memberSchemas, nodeOf } from './node.ts';
import { inRange } from './numbers.ts';
import { rejectCaseFrom } from './reject.ts';
import { severalItems } from './several-items.ts';

/** Keeps the first mutation of each keyword that breaks a stated rule, and the first of another type. */
function worthwhile(mutations: readonly Mutation[]): readonly Mutation[] {
  const keywords = new Set<string>();
  return mutations.filter(({ keyword, level, pointer }) => {
    const key = level === 'MUST' ? `${keyword} ${pointer}` : 'type';
    if (keywords.has(key)) return false;
    keywords.add(key);
    return true;
  });
}

/**
 * Returns requests that break a rule in a later item of a list, because a check of the first item alone misses it. The
 * last item breaks each stated rule; its types are broken elsewhere. The second item breaks the first rule only. A list is
 * also one item too long by an item that may not be counted.
 */
export function laterItemCases(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): readonly RejectCase[] {
  return bodyFields(schema, template, capabilities).usable.flatMap(field => {
    const { items } = field.schema;
    const list = items === undefined ? undefined : severalItems(field);
    const control = Array.isArray(list) ? field.place(list) : undefined;
    if (items === undefined || !Array.isArray(list) || control === undefined || !isValid(schema, control)) return [];
    const last = list.length - 1;
    const broken = (index: number): readonly Mutation[] =>
      within(join(field.pointer, index), worthwhile(mutationsOf(items, list[index] ?? null, 1)));
    const extra: Mutation = {
      pointer: field.pointer,
      keyword: 'type',
      level: 'SHOULD',
      what: 'null as one item more',
      sent: [...list, null],
    };
    const tooMany = lengthened(field.pointer, field.schema, list);
    const isMore = Array.isArray(field.current) && field.current.length > 1;
    const stated = broken(last).filter(({ level, sent }) => level === 'MUST' || sent === undefined);
    const second = last > 1 ? broken(1).slice(0, 1) : [];
    return [...stated, ...second, ...tooMany, ...(isMore ? [extra] : [])]
      .map(one => rejectCaseFrom(control, one))
      .filter(one => !isValid(schema, one.body));
  });
}

/** Returns the list with one item too many, of which the last has every number zero: a service may not count it. */
function lengthened(pointer: string, { items, maxItems }: Schema, list: readonly Json[]): readonly Mutation[] {
  const item = list.at(-1);
  if (maxItems === undefined || !isObject(item)) return [];
  const zeros = memberSchemas(items).flatMap(([name, member]) => {
    const node = nodeOf(member);
    return node.kind === 'number' && item[name] !== undefined && inRange(node.schema, 0) ? [[name, 0] as const] : [];
  });
  if (zeros.length === 0) return [];
  const sent: Json[] = Array.from({ length: maxItems }, (_, index) => list[index % list.length] ?? null);
  sent.push({ ...item, ...Object.fromEntries(zeros) });
  const what = `one item above maxItems ${maxItems}, of zeros`;
  return [{ pointer, keyword: 'maxItems', level: 'MUST', what, alike: true, sent }];
}

/**
 * Returns a case in a body that has every other field too. Undefined if the body lacks what the case stands beside, or
 * the request would then be valid.
 */
export function besideOthers(one: RejectCase, wide: JsonObject, schema: ObjectSchema): RejectCase | undefined {
  const [root = '', ...within] = steps(one.pointer);
  if (within.length > 0 && at(wide, one.pointer) === undefined) return undefined;
  const control = wide[root] === undefined ? { ...wide, [root]: one.control[root] ?? null } : wide;
  if (!isObject(control) || !isValid(schema, control)) return undefined;
  const body = putMember(control, one.pointer, one.sent);
  const made = { ...one, body, control, ...present({ controlValue: at(control, one.pointer) }) };
  return isValid(schema, body) ? undefined : made;
}
