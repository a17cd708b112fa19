import { otherNames } from '../../contracts/fields.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { same } from '../../contracts/pointer.ts';
import { type AcceptCase, topField } from './cases.ts';

/** Cases of different fields in one request: they are tried together before each is tried alone. */
export interface Pack {
  readonly body: JsonObject;
  readonly cases: readonly AcceptCase[];
}

/** Returns the members in which a body differs from a template, with their values. */
export const changesTo = (template: JsonObject, body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => !same(value, template[name])));

/** Returns what a case changes of a template. Memoised, because every pack that the case might join asks again. */
export const changesOf = memoized((template: JsonObject) =>
  memoized(({ body }: AcceptCase) => changesTo(template, body)),
);

/** Returns the template with the changes of some cases. */
export const mergedBody = (cases: readonly AcceptCase[], template: JsonObject): JsonObject =>
  Object.assign({}, template, ...cases.map(changesOf(template)));

/**
 * True if a case replaces nothing of the template but its own field. A case goes alone if it replaces the template's
 * choice from a closed set and may itself be refused (another type of metric).
 */
function isFree(one: AcceptCase, template: JsonObject): boolean {
  const own = topField(one);
  if (template[own] !== undefined && one.keyword === 'enum' && one.level === 'SHOULD') return false;
  return (
    one.isAlone === undefined &&
    own !== '' &&
    Object.keys(changesOf(template)(one)).every(name => name === own || template[name] === undefined)
  );
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

/**
 * Returns the values of a field with the empty text before all others that may be refused: a creation has few packs, and
 * nothing else that creates carries it.
 */
function emptySooner(values: readonly AcceptCase[]): readonly AcceptCase[] {
  const [before, after] = [values.filter(({ value }) => value !== ''), values.filter(({ value }) => value === '')];
  const place = before.findIndex(({ level }) => level !== 'MUST');
  return after.length === 0 || place < 0 ? values : before.toSpliced(place, 0, ...after);
}

/**
 * Packs the cases of an enumeration, each into at least one request. Every field is absent from some packs, and no two
 * fields are always sent together. The values of a field take turns. Cases that cannot stand beside others are in none.
 */
export function packsOf(cases: readonly AcceptCase[], template: JsonObject): readonly Pack[] {
  const changes = changesOf(template);
  const free = cases.filter(one => isFree(one, template));
  const fields = new Map([...grouped(free, topField)].map(([field, values]) => [field, emptySooner(values)]));
  const optional = [...fields.keys()].filter(field => template[field] === undefined);
  const columns = complementary(optional.length);
  const count = 1 + Math.max(-1, ...columns.slice(0, optional.length).flat());
  const packs: { body: JsonObject; cases: AcceptCase[] }[] = [];
  const fits = (pack: number, one: AcceptCase): boolean => {
    const { body } = packs[pack] ?? { body: template };
    const isFreeIn = Object.keys(changes(one)).every(name => same(body[name], template[name]));
    const named = agreeing(pack, topField(one));
    return isFreeIn && (named === undefined || named === one);
  };
  /**
   * Returns the case of a field that names what a pack names by another member, null if there is none; undefined if the
   * pack does not name it. Both have their values in the order of the target's words.
   */
  const agreeing = (pack: number, field: string): AcceptCase | undefined | null => {
    const [other = ''] = otherNames(field);
    const [own = [], others = []] = [fields.get(field), fields.get(other)];
    const named = packs[pack]?.cases.find(one => topField(one) === other);
    if (named === undefined) return undefined;
    return own.length === others.length ? (own[others.indexOf(named)] ?? null) : null;
  };
  const add = (pack: number, one: AcceptCase): void => {
    packs[pack] ??= { body: template, cases: [] };
    packs[pack].cases.push(one);
    packs[pack].body = { ...packs[pack].body, ...changes(one) };
  };
  for (const [field, values] of fields) {
    const place = optional.indexOf(field);
    // A field of the template is in every request, so its cases may join each pack.
    const own = columns[place] ?? Array.from({ length: count }, (_, pack) => pack);
    const left = new Set(values);
    const open = own.filter(pack => {
      const first = agreeing(pack, field) ?? values[0];
      return first !== undefined && fits(pack, first);
    });
    for (const [turn, pack] of open.entries()) {
      if (place < 0 && turn >= values.length) break;
      const [next] = left;
      const one = agreeing(pack, field) ?? next ?? values[turn % values.length];
      if (one === undefined || !fits(pack, one)) continue;
      add(pack, one);
      left.delete(one);
    }
    for (const one of left) {
      let pack = count;
      while (!fits(pack, one)) pack += 1;
      add(pack, one);
    }
  }
  // A profile may send only the first packs: those with a single case left of their field come last.
  const alone = cases.filter(one => one.isAlone).map(one => ({ body: one.body, cases: [one] }));
  const shared = packs.filter(pack => pack.cases.length > 1);
  return [...shared, ...alone, ...packs.filter(pack => pack.cases.length === 1)];
}
