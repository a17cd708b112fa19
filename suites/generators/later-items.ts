import type { ObjectSchema } from '../../contracts/dialect.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/json.ts';
import { at, join, putMember, steps } from '../../contracts/pointer.ts';
import { isValid } from '../../contracts/validation.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import type { Mutation, RejectCase } from './cases.ts';
import { bodyFields } from './fields.ts';
import { mutationsOf } from './mutants.ts';
import { nodeOf } from './node.ts';
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
 * last item breaks each stated rule; its types are broken elsewhere. The second item breaks the first rule only.
 */
export function laterItemCases(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): readonly RejectCase[] {
  return bodyFields(schema, template, capabilities).usable.flatMap(field => {
    const node = nodeOf(field.schema);
    if (node.kind !== 'array' || node.schema.items === undefined) return [];
    const list = severalItems(field);
    const control = Array.isArray(list) ? field.place(list) : undefined;
    if (!Array.isArray(list) || control === undefined || !isValid(schema, control)) return [];
    const last = list.length - 1;
    const broken = (index: number): readonly Mutation[] => {
      const item = list[index] as Json;
      const mutations = node.schema.items === undefined ? [] : mutationsOf(node.schema.items, item, 1);
      return worthwhile(mutations).map(one => ({ ...one, pointer: join(field.pointer, index) + one.pointer }));
    };
    const extra: Mutation = {
      pointer: field.pointer,
      keyword: 'type',
      level: 'SHOULD',
      what: 'null as one item more',
      sent: [...list, null],
    };
    const isMore = Array.isArray(field.current) && field.current.length > 1;
    const stated = broken(last).filter(({ level, sent }) => level === 'MUST' || sent === undefined);
    const own = last > 1 ? [...stated, ...broken(1).slice(0, 1)] : stated;
    const within = own.filter(one => steps(one.pointer).length > 1);
    return [...within, ...(isMore ? [extra] : [])]
      .map(one => rejectCaseFrom(control, one))
      .filter(one => !isValid(schema, one.body));
  });
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
  const controlValue = at(control, one.pointer);
  const made = { ...one, body, control, ...(controlValue === undefined ? {} : { controlValue }) };
  return isValid(schema, body) ? undefined : made;
}
