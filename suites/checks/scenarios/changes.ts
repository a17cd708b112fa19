import type { Json, JsonObject, Members } from '../../../contracts/json.ts';
import { same, steps } from '../../../contracts/pointer.ts';
import { companyOf } from '../../generators/company.ts';
import type { AcceptCase } from '../../generators/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { canBePutBack } from './parts.ts';

const known = new WeakMap<CheckContext, ReadonlyMap<string, readonly AcceptCase[]>>();

/** The values that a check may send of each field that needs no other beside it, the richest first. */
function valuesByField(context: CheckContext): ReadonlyMap<string, readonly AcceptCase[]> {
  const found = known.get(context);
  if (found !== undefined) return found;
  const { row, minimal, target } = context;
  const template = row.action === 'patch' ? {} : (minimal.body ?? {});
  const byField = new Map<string, AcceptCase[]>();
  const packs = companyOf(row.body ?? { type: 'object' }, template, target);
  for (const one of new Set(packs.flatMap(({ cases }) => cases))) {
    const [field = ''] = steps(one.pointer);
    const isAlone = Object.keys(one.body).every(
      name => name === field || (template[name] !== undefined && same(one.body[name] ?? null, template[name] ?? null)),
    );
    if (isAlone && one.level === 'MUST' && canBePutBack(one, context))
      byField.set(field, [...(byField.get(field) ?? []), one]);
  }
  known.set(context, byField);
  return byField;
}

/** Members that say which entity it is, or that name the same as another. */
const notChanged: readonly string[] = ['id', 'name', 'teamID', 'creatorEmail'];

/**
 * A valid change of every field that can be changed by itself: each to a value that it does not have in `before`. What
 * `except` names stays out.
 */
export function changeOfAll(context: CheckContext, before: Members, except: readonly string[] = []): JsonObject {
  const change: Record<string, Json> = {};
  for (const [field, cases] of valuesByField(context)) {
    if (except.includes(field) || notChanged.includes(field)) continue;
    const other = cases.find(({ body }) => !same((before[field] ?? null) as Json, body[field] ?? null));
    const value = other?.body[field];
    if (value !== undefined) change[field] = value;
  }
  return change;
}
