import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { canonicalJson, isObject, membersOf, namesInEither } from '../../../contracts/json.ts';
import { join } from '../../../contracts/pointer.ts';
import type { Comparison } from '../../../contracts/report/difference.ts';
import { shapeOf } from '../../observations/observers.ts';
import { type AlignedPair, align } from '../align/align.ts';
import { counterpartsOf } from '../align/counterparts.ts';
import { isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';
import { originsOf } from './origins.ts';
import { type ComparedWith, compareEntities, createPagesShown, itemsOn, pageDifferences } from './pages.ts';
import { compareValues, type Found, type Located, located, unlessAlike } from './values.ts';

/** Statuses that ask to slow down and are no verdict. */
const deferring: ReadonlySet<number> = new Set([429, 503]);

const statusInWords = ({ status, failure }: RecordedExchange): string =>
  failure === undefined ? `status ${status}` : `no answer (${failure})`;

/**
 * Returns the shape of a refusal's body, because its words are the server's own. Its members are sorted, because their
 * order means nothing (RFC 8259 section 4).
 */
function refusalShape({ value, text }: RecordedExchange): string {
  if (value === undefined) return text === undefined ? 'no body' : 'a body that is no JSON';
  return shapeOf(JSON.parse(canonicalJson(value)));
}

/** Returns why a pair cannot be compared; null if it can. The outcomes are those of the two runs. */
function notComparable({ a, b }: AlignedPair, outcomeOfA: string, outcomeOfB: string): string | null {
  const sides = [
    ['A', a, outcomeOfA],
    ['B', b, outcomeOfB],
  ] as const;
  for (const [side, { status, failure, isTooLong }, outcome] of sides) {
    if (deferring.has(status)) return `${side} asked to slow down (status ${status})`;
    // An answer that was not kept whole cannot be compared.
    if (isTooLong) return `an answer of ${side} is too long to be kept`;
    // A crashed server does not show how it would have answered.
    if (failure !== undefined && outcome !== 'complete') return `${side} gave no answer, and its run did not end`;
  }
  return null;
}

/** Compares two answers to the same request. */
export function compareAnswers(pair: AlignedPair, input: ComparedWith): Found {
  const { a, b } = pair;
  const words = [statusInWords(a), statusInWords(b)] as const;
  const only = (...differences: Located[]): Found => ({ differences, start: [] });
  if (a.failure !== undefined && b.failure !== undefined) return only();
  if (a.failure !== undefined || b.failure !== undefined) return only(located('status', 'answered', ...words));
  const isAccepted = isAcceptedStatus(a);
  if (isAccepted !== isAcceptedStatus(b)) return only(located('status', 'outcome', ...words));
  const { differences, start } = isAccepted
    ? compareSuccesses(pair, input)
    : only(...unlessAlike('body', 'value', refusalShape(a), refusalShape(b)));
  const status = unlessAlike('status', 'status', ...words);
  const media = unlessAlike('header content-type', 'value', a.mediaType ?? 'none', b.mediaType ?? 'none');
  return { differences: [...status, ...media, ...differences], start };
}

const bodyShape = ({ value, text }: RecordedExchange): string =>
  value === undefined ? (text === undefined ? 'no body' : 'no JSON') : shapeOf(value);

function compareSuccesses(pair: AlignedPair, input: ComparedWith): Found {
  const { a, b } = pair;
  if (!isObject(a.value) || !isObject(b.value))
    return { differences: unlessAlike('body', 'type', bodyShape(a), bodyShape(b)), start: [] };
  const [ofA, ofB] = [a.value, b.value];
  const { list } = endpointRow(a.endpoint);
  const names = namesInEither(ofA, ofB).filter(name => name !== 'data' && !(list && name === 'pagination'));
  const frame = names.flatMap(name => {
    const both = { a: ofA[name], b: ofB[name], shown: undefined, asked: undefined, name };
    return compareValues(input.counterparts, both, join('', name));
  });
  if (!a.request.own || list !== Array.isArray(ofA.data) || list !== Array.isArray(ofB.data)) {
    const shapes = unlessAlike('/data', 'type', shapeOf(ofA.data), shapeOf(ofB.data));
    return { differences: [...frame, ...shapes], start: [] };
  }
  const { differences, start } = list
    ? pageDifferences(pair, input)
    : compareEntities(pair, membersOf(ofA.data), membersOf(ofB.data), { a: '/data', b: '/data' }, input);
  return { differences: [...frame, ...differences], start };
}

/** A difference and the pair that shows it; null if it concerns all items of a list together. */
export interface PairDifference {
  readonly endpoint: EndpointId;
  readonly located: Located;
  readonly pair: AlignedPair | null;
  /** For a difference of all items of a list: a pair of pages that both have items. */
  readonly shownBy?: AlignedPair | undefined;
}

/** Returns the key of a place in the answers of an operation. */
export const placeOf = (endpoint: string, pointer: string): string => `${endpoint} ${pointer}`;

/** What a run shows of the names, the ids and the origins of what it exchanged. */
export type ComparedRun = Pick<Recording, 'baseUrl' | 'token' | 'titles' | 'exchanges'>;

/** Returns what the answers of aligned pairs are compared with. */
export const comparedWith = (
  a: ComparedRun,
  b: ComparedRun,
  pairs: readonly AlignedPair[],
  sameStart: boolean,
  isSelf: boolean,
): ComparedWith => ({
  counterparts: counterpartsOf(a, b, pairs),
  origins: { a: originsOf(a), b: originsOf(b) },
  sameStart,
  isSelf,
  pages: createPagesShown(),
});

/** Compares two recordings by request. `isSelf`: both are of one server, to find values that move by themselves. */
export function compareRecordings(a: Recording, b: Recording, sameStart: boolean, isSelf = false) {
  const { pairs, unaligned } = align(a, b);
  const input = comparedWith(a, b, pairs, sameStart, isSelf);
  const differences: PairDifference[] = [];
  const start = new Map<string, Comparison['start'][number]>();
  const left = [...unaligned];
  for (const pair of pairs) {
    const because = notComparable(pair, a.outcome, b.outcome);
    if (because) {
      left.push({ exchange: pair.a, because });
      continue;
    }
    const { endpoint } = pair.a;
    const found = compareAnswers(pair, input);
    for (const located of found.differences) differences.push({ endpoint, located, pair });
    for (const pointer of found.start) {
      const count = start.get(placeOf(endpoint, pointer))?.count ?? 0;
      start.set(placeOf(endpoint, pointer), { endpoint, pointer, count: count + 1 });
    }
  }
  const known = new Set(differences.map(({ endpoint, located }) => placeOf(endpoint, located.pointer)));
  for (const { endpoint, located } of input.pages.differences())
    if (!known.has(placeOf(endpoint, located.pointer)))
      differences.push({ endpoint, located, pair: null, shownBy: shortestPages(pairs, endpoint) });
  return {
    /** Number of compared pairs. */
    compared: pairs.length - (left.length - unaligned.length),
    pairs,
    differences,
    unaligned: left,
    /** Differing values from before the run, with counts. */
    start: [...start.values()],
  };
}

/** Returns the smallest pair of pages of an operation that both have items. */
function shortestPages(pairs: readonly AlignedPair[], endpoint: string): AlignedPair | undefined {
  const pages = pairs.flatMap(pair => {
    const [ofA, ofB] = [itemsOn(pair.a).length, itemsOn(pair.b).length];
    return pair.a.endpoint === endpoint && ofA > 0 && ofB > 0 ? [{ pair, items: ofA + ofB }] : [];
  });
  return pages.toSorted((one, other) => one.items - other.items)[0]?.pair;
}
