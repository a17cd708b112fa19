import { otherNames } from '../../contracts/fields.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { same, steps } from '../../contracts/pointer.ts';
import { acceptCases } from './accept.ts';
import { type AcceptCase, topField } from './cases.ts';
import { type Choice, coveringRows } from './covering.ts';
import { enumeratedOnce } from './enumerated-once.ts';
import { changesOf, mergedBody, type Pack } from './packs.ts';

/** True if a value is empty, which is not the same as absent: a server that confuses them does not store it. */
const isNothing = ({ value }: AcceptCase): boolean =>
  value === '' || value === false || value === 0 || value === null || (Array.isArray(value) && value.length === 0);

/** Returns the values of a field to combine, each once: two ordinary ones, and every empty one. */
function valuesOf(cases: readonly AcceptCase[], field: string): readonly AcceptCase[] {
  const ordinary = cases.filter(one => one.level === 'MUST' && !isNothing(one));
  const whole = ordinary.filter(({ pointer }) => steps(pointer).length === 1);
  const [first] = whole.length > 0 ? whole : ordinary;
  const last = ordinary.findLast(
    one => first !== undefined && !same(one.body[field] ?? null, first.body[field] ?? null),
  );
  const nothing = cases.filter(one => steps(one.pointer).length === 1 && isNothing(one));
  return [...new Set([first, last, ...nothing].filter(one => one !== undefined))];
}

/**
 * Returns what to combine of each field: the cases of its values, and undefined for its absence if the template lacks
 * it.
 */
const factorsOf = (
  cases: readonly AcceptCase[],
  template: JsonObject,
): readonly (readonly (AcceptCase | undefined)[])[] =>
  [...grouped(cases, topField)].flatMap(([field, all]) => {
    const values = valuesOf(
      all.filter(one => one.learned === undefined && one.isAlone === undefined),
      field,
    );
    if (field === '' || values.length === 0) return [];
    return [template[field] === undefined ? [undefined, ...values] : values];
  });

/**
 * Returns bodies in which every two values of every two fields stand together at least once, as few as a greedy search
 * finds. Absent is a value if the template lacks the field. Each field has two ordinary values, if it has as many, and
 * the empty ones: false, 0, null, the empty text or list.
 */
export const companyOf = enumeratedOnce((schema, template, capabilities): readonly Pack[] => {
  const factors = factorsOf(acceptCases(schema, template, capabilities).cases, template);
  const changes = changesOf(template);
  const caseOf = ({ factor, level }: Choice): AcceptCase | undefined => factors[factor]?.[level];
  /** True if two values can stand in one body: neither contradicts the other. */
  const compatible = (one: Choice, other: Choice): boolean => {
    const [mine, theirs] = [caseOf(one), caseOf(other)];
    if (mine === undefined || theirs === undefined) return true;
    if (otherNames(topField(mine)).includes(topField(theirs))) return false;
    const others = changes(theirs);
    return Object.entries(changes(mine)).every(
      ([name, value]) => others[name] === undefined || same(others[name], value),
    );
  };
  const rows = coveringRows({ levels: factors.map(({ length }) => length), compatible });
  const packs = rows.map(row => {
    const cases = row.flatMap((level, factor) => caseOf({ factor, level }) ?? []);
    return { cases, body: mergedBody(cases, template) };
  });
  return inOrder(packs.filter(({ cases }) => cases.length > 0));
});

/** Weight of a value that is sent for the first time, in fields that stay while another is sent. */
const weightOfValue = 3;

/**
 * Orders packs so that the first ones show most: each sends new values, and leaves fields unsent that then have
 * something to lose. An update that wipes what it does not carry shows only where something is there.
 */
function inOrder(packs: readonly Pack[]): readonly Pack[] {
  // Fields by number, because each pack is looked at as often as there are packs.
  const numbers = new Map([...new Set(packs.flatMap(fieldsOf))].map((field, number) => [field, number]));
  const numberOf = (field: string): number => numbers.get(field) ?? 0;
  const left = packs.map(pack => ({ pack, sent: fieldsOf(pack).map(numberOf) }));
  /** By field: 1 at each other field that was sent while it stayed. */
  const kept = Array.from({ length: numbers.size }, () => new Uint8Array(numbers.size));
  const met = new Set<AcceptCase>();
  const something = new Set<number>();
  const newlyKept = (sent: readonly number[]): number => {
    let count = 0;
    for (const field of something) {
      if (sent.includes(field)) continue;
      const by = kept[field];
      for (const other of sent) if (by?.[other] === 0) count += 1;
    }
    return count;
  };
  const ordered: Pack[] = [];
  while (left.length > 0) {
    const gains = left.map(
      ({ pack, sent }) => newlyKept(sent) + weightOfValue * pack.cases.filter(one => !met.has(one)).length,
    );
    const [next] = left.splice(gains.indexOf(Math.max(...gains)), 1);
    if (next === undefined) break;
    for (const field of something) {
      const by = next.sent.includes(field) ? undefined : kept[field];
      if (by !== undefined) for (const other of next.sent) by[other] = 1;
    }
    for (const one of next.pack.cases) {
      met.add(one);
      if (isNothing(one)) something.delete(numberOf(topField(one)));
      else something.add(numberOf(topField(one)));
    }
    ordered.push(next.pack);
  }
  return ordered;
}

/** Returns the fields that the cases of a pack are about. */
export const fieldsOf = ({ cases }: Pack): readonly string[] => [...new Set(cases.map(topField))].filter(Boolean);
