import { isObject, type Json } from '../../../contracts/json.ts';
import { createdName, type RecordedExchange, type Recording } from '../record/recording.ts';
import type { AlignedPair } from './align.ts';

/** Which text of B stands for which of A. */
export type Counterparts = ReturnType<typeof counterpartsOf>;

/** Within a text, a shorter one stands for another only where it is a word: a part of one means nothing. */
const shortestPart = 5;

/** What is replaced within a text where one stands for another. */
const partOf = (text: string): string | RegExp =>
  text.length >= shortestPart
    ? text
    : new RegExp(`(?<![A-Za-z0-9])${text.replace(/[^A-Za-z0-9]/g, '\\$&')}(?![A-Za-z0-9])`, 'g');

/** So many answers to whether two texts are the same are remembered. */
const mostSaid = 50_000;

/** The base URL of a side means the same as that of the other. */
const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl);

/** The names of a run in a text. What an earlier run left there stands for any name. */
const numbersIn = (text: string, token: string): string[] =>
  [...text.matchAll(createdName)].flatMap(([, of, number = '']) => (of === token ? [number] : []));

/** Every pair of texts that stand in the same place of two requests. */
function* textPairs(a: Json | undefined, b: Json | undefined): Generator<readonly [string, string]> {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a !== b) yield [a, b];
  } else if (Array.isArray(a) && Array.isArray(b)) {
    for (const [index, item] of a.entries()) yield* textPairs(item, b[index]);
  } else if (isObject(a) && isObject(b)) {
    for (const [name, member] of Object.entries(a)) if (Object.hasOwn(b, name)) yield* textPairs(member, b[name]);
  }
}

/** Where a request names things: its body, its query and the parameter of its path. */
const namedIn = ({ request: { body, query, param } }: RecordedExchange): Json[] => [
  body ?? null,
  { ...query, param: param ?? null },
];

type Id = string | number;

/** Learns from the aligned requests of two runs which names stand for one another. */
export function counterpartsOf(a: Recording, b: Recording, pairs: readonly AlignedPair[]) {
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
  /** A text of a side with each name in it as B has it; a name whose counterpart is not known is a question mark. */
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
  /** A name whose counterpart is not known, for no request showed it on both sides, stands for any. */
  const agree = (x: string, y: string): boolean =>
    x === y || ((x + y).includes('«?»') && x.replaceAll(/«[^»]*»/g, '«»') === y.replaceAll(/«[^»]*»/g, '«»'));
  /** What was said of two texts that are not equal: the same stand beside one another again and again. */
  const said = new Map<string, boolean>();
  /** True where two texts say the same: they are equal, or equal but for names of which one stands for the other. */
  const sameText = (x: string, y: string): boolean => {
    if (x === y || texts.get(x) === y) return true;
    const key = `${x}\u0000${y}`;
    const known = said.get(key) ?? [x, translated(x)].some(text => agree(ofA(text), ofB(y)));
    if (said.size < mostSaid) said.set(key, known);
    return known;
  };
  const tokens = { a: a.token, b: b.token };
  return {
    sameText,
    /** True where two texts name the same: names of which the counterpart is not known are none. */
    sameName: (x: string, y: string): boolean => x === y || (sameText(x, y) && !(ofA(x) + ofB(y)).includes('«?»')),
    /** True of a text of one side that names what an earlier run left behind there, be it the recorded one. */
    isLeftBehind: (text: string, side: 'a' | 'b'): boolean =>
      isNamed(text) && [...text.matchAll(createdName)].some(([, of = '']) => of !== tokens[side]),
    /**
     * The same of ids that servers give: two that were seen in the same place for the first time are one, and have to
     * stay one wherever ids of that scope are seen again. A server that counts gives one id to things of several kinds.
     */
    sameId(x: Id, y: Id, scope: string): boolean {
      if (x === y || (typeof x === 'string' && typeof y === 'string' && sameText(x, y))) return true;
      const known = given.get(scope) ?? { a: new Map<Id, Id>(), b: new Map<Id, Id>() };
      if (known.a.has(x) || known.b.has(y)) return known.a.get(x) === y && known.b.get(y) === x;
      if (!isTrial) given.set(scope, { a: known.a.set(x, y), b: known.b.set(y, x) });
      return true;
    },
    /** Does work after which no more ids are known than before: for trying which items belong together. */
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
