import type { Json, JsonObject } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { same, steps } from '../../contracts/pointer.ts';
import type { AcceptCase } from './cases.ts';

/** Cases of different fields in one request: they are tried together before each is tried alone. */
export interface Pack {
  readonly body: JsonObject;
  readonly cases: readonly AcceptCase[];
}

/** The members in which a case differs from the template, with their values. */
export type Changes = ReadonlyMap<string, Json>;

/** Returns what a case changes of a template. Memoised, because every pack that the case might join asks again. */
export const changesOf = memoized((template: JsonObject) =>
  memoized(
    ({ body }: AcceptCase): Changes =>
      new Map(
        Object.entries(body).filter(([name, value]) => template[name] === undefined || !same(value, template[name])),
      ),
  ),
);

/** Returns the template with the changes of some cases. */
export function mergedBody(cases: readonly AcceptCase[], template: JsonObject): JsonObject {
  const body = { ...template };
  for (const one of cases) for (const [name, value] of changesOf(template)(one)) body[name] = value;
  return body;
}

/**
 * True if a case replaces nothing of the template but its own field. A case goes alone if it replaces the template's
 * choice from a closed set and may itself be refused (another type of metric).
 */
function isFree(one: AcceptCase, changes: Changes, template: JsonObject): boolean {
  const own = steps(one.pointer)[0];
  if (own !== undefined && template[own] !== undefined && one.keyword === 'enum' && one.level === 'SHOULD')
    return false;
  return own !== undefined && [...changes.keys()].every(name => name === own || template[name] === undefined);
}

/** Returns the subsets of a size, as columns, in a fixed order. */
function subsets(columns: number, size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return Array.from({ length: columns }, (_, first) =>
    subsets(columns - first - 1, size - 1).map(rest => [first, ...rest.map(column => column + first + 1)]),
  ).flat();
}

/**
 * Returns the columns of each field. Of any two fields, one column has the first without the second, and one has both:
 * so none masks another.
 */
function complementary(fields: number): readonly (readonly number[])[] {
  for (let columns = 1; ; columns += 1) {
    const found = subsets(columns, Math.floor(columns / 2) + 1);
    if (found.length >= fields) return found;
  }
}

/** Returns the cases of each field that may stand beside others, in the order of the enumeration. */
function varied(cases: readonly AcceptCase[], template: JsonObject): readonly (readonly AcceptCase[])[] {
  const byField = new Map<string, AcceptCase[]>();
  for (const one of cases) {
    const field = steps(one.pointer)[0];
    if (field === undefined || !isFree(one, changesOf(template)(one), template)) continue;
    byField.set(field, [...(byField.get(field) ?? []), one]);
  }
  return [...byField.values()];
}

/**
 * Packs the cases of an enumeration, each into at least one request. Every field is absent from some packs, and no two
 * fields are always sent together. The values of a field take turns. Cases that cannot stand beside others are in none.
 */
export function packsOf(cases: readonly AcceptCase[], template: JsonObject): readonly Pack[] {
  const fields = varied(cases, template);
  const optional = fields.filter(([one]) => one !== undefined && template[steps(one.pointer)[0] ?? ''] === undefined);
  const columns = complementary(optional.length);
  const count = 1 + Math.max(-1, ...columns.slice(0, optional.length).flat());
  const packs: { body: JsonObject; cases: AcceptCase[] }[] = [];
  const fits = (pack: number, one: AcceptCase): boolean => {
    const { body } = packs[pack] ?? { body: template };
    for (const name of changesOf(template)(one).keys())
      if (body[name] !== undefined && (template[name] === undefined || !same(body[name], template[name]))) return false;
    return true;
  };
  const add = (pack: number, one: AcceptCase): void => {
    while (packs.length <= pack) packs.push({ body: template, cases: [] });
    const into = packs[pack];
    if (into === undefined) return;
    into.cases.push(one);
    into.body = { ...into.body, ...Object.fromEntries(changesOf(template)(one)) };
  };
  for (const values of fields) {
    const place = optional.indexOf(values);
    // A field of the template is in every request, so its cases may join each pack.
    const own = place < 0 ? Array.from({ length: count }, (_, pack) => pack) : (columns[place] ?? []);
    const left = [...values];
    const free = own.filter(pack => values[0] !== undefined && fits(pack, values[0]));
    for (const [turn, pack] of free.entries()) {
      if (place < 0 && turn >= values.length) break;
      const one = left.shift() ?? values[turn % values.length];
      if (one !== undefined && fits(pack, one)) add(pack, one);
      else if (one !== undefined && !packs.some(each => each.cases.includes(one))) left.unshift(one);
    }
    for (const one of left) {
      let pack = count;
      while (!fits(pack, one)) pack += 1;
      add(pack, one);
    }
  }
  return packs.filter(pack => pack.cases.length > 0);
}
