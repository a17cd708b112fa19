import { isObject, type Json } from '../../../contracts/json.ts';
import type { SideOfDifference } from '../../../contracts/report/difference.ts';
import { createdName, type RecordedExchange, type Recording } from '../record/recording.ts';
import type { AlignedPair } from './align.ts';

/** The texts and ids of A with their counterparts in B. */
export type Counterparts = ReturnType<typeof counterpartsOf>;

/** Minimum length of a text that is replaced anywhere within another; shorter ones only as whole words. */
const shortestPart = 5;

/** Returns the pattern by which a text is replaced within another. */
const partOf = (text: string): string | RegExp =>
  text.length >= shortestPart
    ? text
    : new RegExp(`(?<![A-Za-z0-9])${text.replace(/[^A-Za-z0-9]/g, '\\$&')}(?![A-Za-z0-9])`, 'g');

/** Maximum number of text comparisons remembered. */
const mostSaid = 50_000;

/** Returns the origin of a base URL; the origins of both sides correspond. */
const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl);

/** Returns the numbers of the names in a text that this run created. Names of an earlier run match any name. */
const numbersIn = (text: string, token: string): string[] =>
  [...text.matchAll(createdName)].flatMap(([, of, number = '']) => (of === token ? [number] : []));

/** Yields each pair of different texts at the same place of two requests. */
function* textPairs(a: Json | undefined, b: Json | undefined): Generator<readonly [string, string]> {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a !== b) yield [a, b];
  } else if (Array.isArray(a) && Array.isArray(b)) {
    for (const [index, item] of a.entries()) yield* textPairs(item, b[index]);
  } else if (isObject(a) && isObject(b)) {
    for (const [name, member] of Object.entries(a)) if (Object.hasOwn(b, name)) yield* textPairs(member, b[name]);
  }
}

/** Returns the parts of a request that name things: its body, its query and its path parameter. */
const namedIn = ({ request: { body, query, param } }: RecordedExchange): Json[] => [
  body ?? null,
  { ...query, param: param ?? null },
];

type Id = string | number;

type Named = Pick<Recording, 'baseUrl' | 'token'>;

/** Learns from the aligned requests of two runs which names correspond. */
export function counterpartsOf(a: Named, b: Named, pairs: readonly AlignedPair[]) {
  const numbers = new Map<string, string>();
  const texts = new Map<string, string>([[originOf(a.baseUrl), originOf(b.baseUrl)]]);
  /** The ids of each scope, each with its counterpart on the other side. */
  const given = new Map<string, { readonly a: Map<Id, Id>; readonly b: Map<Id, Id> }>();
  let isTrial = false;
  for (const { a: one, b: other } of pairs)
    for (const [textOfA, textOfB] of textPairs(namedIn(one), namedIn(other))) {
      const namesOfA = numbersIn(textOfA, a.token);
      const namesOfB = numbersIn(textOfB, b.token);
      for (const [index, number] of namesOfA.entries()) {
        const counterpart = namesOfB[index];
        if (counterpart !== undefined && !numbers.has(number)) numbers.set(number, counterpart);
      }
      if (namesOfA.length === 0 && namesOfB.length === 0 && !texts.has(textOfA)) texts.set(textOfA, textOfB);
    }
  const parts = [...texts]
    .filter(([one]) => /^[\x20-\x7e]{2,200}$/.test(one))
    .sort(([x], [y]) => y.length - x.length)
    .map(([one, other]) => [one, partOf(one), other] as const);
  const isNamed = (text: string): boolean => text.includes('conform_');
  /** Returns a text with each name as B numbers it; a name without known counterpart becomes a question mark. */
  const renamed = (text: string, token: string, numberOf: (number: string) => string | undefined): string =>
    isNamed(text)
      ? text.replaceAll(createdName, (_, of, number) => `«${(of === token ? numberOf(number) : undefined) ?? '?'}»`)
      : text;
  const ofA = (text: string): string => renamed(text, a.token, number => numbers.get(number));
  const ofB = (text: string): string => renamed(text, b.token, number => number);
  const translated = (text: string): string => {
    let result = text;
    for (const [one, part, other] of parts) if (result.includes(one)) result = result.replaceAll(part, () => other);
    return result;
  };
  /** True if two texts agree. A name without known counterpart agrees with any: no request showed it on both sides. */
  const agree = (x: string, y: string): boolean =>
    x === y || ((x + y).includes('«?»') && x.replaceAll(/«[^»]*»/g, '«»') === y.replaceAll(/«[^»]*»/g, '«»'));
  /** Cached comparisons of unequal texts, because the same ones meet again and again. */
  const said = new Map<string, boolean>();
  /** True if two texts are equal, or equal except for corresponding names. */
  const sameText = (x: string, y: string): boolean => {
    if (x === y || texts.get(x) === y) return true;
    const key = `${x}\u0000${y}`;
    const named = ofB(y);
    // The translation is the dear part, and rarely needed.
    const known = said.get(key) ?? (agree(ofA(x), named) || agree(ofA(translated(x)), named));
    if (said.size < mostSaid) said.set(key, known);
    return known;
  };
  return {
    sameText,
    /** True if two texts certainly name the same thing: names without known counterpart do not count. */
    sameName: (x: string, y: string): boolean => x === y || (sameText(x, y) && !(ofA(x) + ofB(y)).includes('«?»')),
    /** True if a text of one side holds a name that another run left behind, even the recorded one. */
    isLeftBehind: (text: string, side: SideOfDifference): boolean =>
      isNamed(text) && [...text.matchAll(createdName)].some(([, of = '']) => of !== { a, b }[side].token),
    /**
     * True if two ids given by servers correspond. Two that first meet in the same place become a pair, and must stay
     * one within their scope. Scopes are needed because a counting server gives one id to things of several kinds.
     */
    sameId(x: Id, y: Id, scope: string): boolean {
      if (x === y || (typeof x === 'string' && typeof y === 'string' && sameText(x, y))) return true;
      const known = given.get(scope) ?? { a: new Map<Id, Id>(), b: new Map<Id, Id>() };
      if (known.a.has(x) || known.b.has(y)) return known.a.get(x) === y && known.b.get(y) === x;
      if (!isTrial) given.set(scope, { a: known.a.set(x, y), b: known.b.set(y, x) });
      return true;
    },
    /** Does work without learning any ids, to try which items correspond. */
    tentatively<Result>(work: () => Result): Result {
      const before = isTrial;
      isTrial = true;
      try {
        return work();
      } finally {
        isTrial = before;
      }
    },
  };
}
