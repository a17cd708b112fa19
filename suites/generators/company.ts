import type { JsonObject } from '../../contracts/json.ts';
import { same, steps } from '../../contracts/pointer.ts';
import { acceptCases } from './accept.ts';
import type { AcceptCase } from './cases.ts';
import { type Choice, coveringRows } from './covering.ts';
import { enumeratedOnce } from './enumerated-once.ts';
import { type Changes, changesOf, mergedBody, type Pack } from './packs.ts';

/** Members that name the same thing, each in its own way: two of them in one body may contradict each other. */
export const sameThing: readonly (readonly string[])[] = [
  ['team', 'teamID'],
  ['creatorID', 'creatorEmail'],
];

/** A field and its values to combine: the first and the last that must be accepted, and every empty one. */
interface Factor {
  readonly field: string;
  readonly values: readonly AcceptCase[];
  /** True if the template has the field, so that it is in every body. */
  readonly isFixed: boolean;
}

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

function factorsOf(cases: readonly AcceptCase[], template: JsonObject): readonly Factor[] {
  const byField = new Map<string, AcceptCase[]>();
  for (const one of cases) {
    const [field] = steps(one.pointer);
    if (field === undefined || one.learned !== undefined) continue;
    byField.set(field, [...(byField.get(field) ?? []), one]);
  }
  return [...byField]
    .map(([field, all]) => ({ field, values: valuesOf(all, field), isFixed: template[field] !== undefined }))
    .filter(({ values }) => values.length > 0);
}

/** True if the changes of two values can stand in one body: neither contradicts the other. */
function canMeet(mine: Changes, others: Changes): boolean {
  for (const [name, value] of mine) {
    const theirs = others.get(name);
    if (theirs !== undefined && !same(theirs, value)) return false;
  }
  return true;
}

/**
 * Returns bodies in which every two values of every two fields stand together at least once, as few as a greedy search
 * finds. Absent is a value if the template lacks the field. Each field has two ordinary values, if it has as many, and
 * the empty ones: false, 0, null, the empty text or list.
 */
export const companyOf = enumeratedOnce((schema, template, capabilities): readonly Pack[] => {
  const factors = factorsOf(acceptCases(schema, template, capabilities).cases, template);
  const changes = changesOf(template);
  const choiceOf = ({ factor, level }: Choice): AcceptCase | undefined => {
    const { values = [], isFixed = false } = factors[factor] ?? {};
    return isFixed ? values[level] : values[level - 1];
  };
  const compatible = (one: Choice, other: Choice): boolean => {
    const [mine, theirs] = [choiceOf(one), choiceOf(other)];
    if (mine === undefined || theirs === undefined) return true;
    const names = [one, other].map(({ factor }) => factors[factor]?.field ?? '');
    if (sameThing.some(group => names.every(name => group.includes(name)))) return false;
    return canMeet(changes(mine), changes(theirs));
  };
  const levels = factors.map(({ values, isFixed }) => values.length + (isFixed ? 0 : 1));
  const packs = coveringRows({ levels, compatible }).flatMap(row => {
    const cases = row.flatMap((level, factor) => choiceOf({ factor, level }) ?? []);
    return cases.length === 0 ? [] : [{ cases, body: mergedBody(cases, template) }];
  });
  return inOrder(packs);
});

/** Weight of a value that is sent for the first time, in fields that stay while another is sent. */
const weightOfValue = 3;

/**
 * Orders packs so that the first ones show most: each sends new values, and leaves fields unsent that then have
 * something to lose. An update that wipes what it does not carry shows only where something is there.
 */
function inOrder(packs: readonly Pack[]): readonly Pack[] {
  const fields = [...new Set(packs.flatMap(fieldsOf))];
  const places = new Map(fields.map((field, place) => [field, place]));
  const left = packs.map(pack => ({
    pack,
    carried: new Map(pack.cases.map(one => [places.get(steps(one.pointer)[0] ?? '') ?? -1, one])),
  }));
  /** By field, and by each other field that was sent while it stayed: 1. */
  const kept = fields.map(() => new Uint8Array(fields.length));
  const met = new Set<AcceptCase>();
  const something = new Set<number>();
  const newlyKept = (carried: ReadonlyMap<number, unknown>): number => {
    let count = 0;
    for (const field of something) {
      if (carried.has(field)) continue;
      const by = kept[field];
      for (const other of carried.keys()) if (by?.[other] === 0) count += 1;
    }
    return count;
  };
  const ordered: Pack[] = [];
  while (left.length > 0) {
    const gains = left.map(
      ({ pack, carried }) => newlyKept(carried) + weightOfValue * pack.cases.filter(one => !met.has(one)).length,
    );
    const [next] = left.splice(gains.indexOf(Math.max(...gains)), 1);
    if (next === undefined) break;
    for (const field of something)
      if (!next.carried.has(field)) for (const other of next.carried.keys()) kept[field]?.set([1], other);
    for (const [field, one] of next.carried) {
      met.add(one);
      if (isNothing(one)) something.delete(field);
      else something.add(field);
    }
    ordered.push(next.pack);
  }
  return ordered;
}

/** Returns the fields that the cases of a pack are about. */
export const fieldsOf = ({ cases }: Pack): readonly string[] => [
  ...new Set(cases.flatMap(({ pointer }) => steps(pointer)[0] ?? [])),
];
