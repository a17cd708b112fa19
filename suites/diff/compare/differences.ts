import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, membersOf } from '../../../contracts/json.ts';
import { join } from '../../../contracts/pointer.ts';
import { shapeOf } from '../../observations/observers.ts';
import { type AlignedPair, align, type Unaligned } from '../align/align.ts';
import { counterpartsOf } from '../align/counterparts.ts';
import { isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';
import { type Found, type Located, located } from './located.ts';
import { originsOf } from './origins.ts';
import { type AnswersInput, compareEntities, itemsOn, PagesShown, pageDifferences } from './pages.ts';
import { compareValues } from './values.ts';

/** Statuses that ask to slow down, and are no verdict. */
const deferring: ReadonlySet<number> = new Set([429, 503]);

const statusInWords = ({ status, failure }: RecordedExchange): string =>
  failure === undefined ? `status ${status}` : `no answer (${failure})`;

/** A value whose members stand in the order of their names: their order means nothing (RFC 8259 section 4). */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(name => [name, inOrder(value[name] as Json)]),
  );
}

/** The body of a refusal in a line: its shape, for its words are the server's own. */
const refusalShape = ({ value, text }: RecordedExchange): string =>
  value !== undefined ? shapeOf(inOrder(value)) : text === undefined ? 'no body' : 'a body that is no JSON';

/** Why a pair cannot be compared; null where it can. The outcomes are those of the runs of both sides. */
function notComparable({ a, b }: AlignedPair, outcomeOfA: string, outcomeOfB: string): string | null {
  const sides = [
    ['A', a, outcomeOfA],
    ['B', b, outcomeOfB],
  ] as const;
  for (const [side, { status, failure, isTooLong }, outcome] of sides) {
    if (deferring.has(status)) return `${side} asked to slow down (status ${status})`;
    // What was too long to be kept may be like anything.
    if (isTooLong) return `an answer of ${side} is too long to be kept`;
    // A side that died says nothing of what it would have answered.
    if (failure !== undefined && outcome !== 'complete') return `${side} gave no answer, and its run did not end`;
  }
  return null;
}

/** Compares two answers to the same request. */
export function compareAnswers(pair: AlignedPair, input: AnswersInput): Found {
  const { a, b } = pair;
  const words = [statusInWords(a), statusInWords(b)] as const;
  if (a.failure !== undefined || b.failure !== undefined) {
    const isSame = a.failure !== undefined && b.failure !== undefined;
    return { differences: isSame ? [] : [located('status', 'answered', ...words)], start: [] };
  }
  const acceptedByA = isAcceptedStatus(a);
  if (acceptedByA !== isAcceptedStatus(b)) return { differences: [located('status', 'outcome', ...words)], start: [] };
  const status = a.status === b.status ? [] : [located('status', 'status', ...words)];
  const media =
    a.mediaType === b.mediaType
      ? []
      : [located('header content-type', 'value', a.mediaType ?? 'none', b.mediaType ?? 'none')];
  if (!acceptedByA) {
    const [one, other] = [refusalShape(a), refusalShape(b)];
    const body = one === other ? [] : [located('body', 'value', one, other)];
    return { differences: [...status, ...media, ...body], start: [] };
  }
  const found = compareSuccesses(pair, input);
  return { differences: [...status, ...media, ...found.differences], start: found.start };
}

function compareSuccesses(pair: AlignedPair, input: AnswersInput): Found {
  const { a, b } = pair;
  const { counterparts } = input;
  if (!isObject(a.value) || !isObject(b.value)) {
    const kinds = [a, b].map(({ value, text }) =>
      value === undefined ? (text === undefined ? 'no body' : 'no JSON') : shapeOf(value),
    );
    const [one = '', other = ''] = kinds;
    return { differences: one === other ? [] : [located('body', 'type', one, other)], start: [] };
  }
  const differences: Located[] = [];
  const start: string[] = [];
  const row = endpointRow(a.endpoint);
  for (const name of new Set([...Object.keys(a.value), ...Object.keys(b.value)])) {
    if (name === 'data' || (name === 'pagination' && row.list)) continue;
    const both = { a: a.value[name], b: b.value[name], shown: undefined, asked: undefined, name };
    differences.push(...compareValues(counterparts, both, join('', name)));
  }
  const data = { a: a.value.data, b: b.value.data };
  if (!a.request.own || row.list !== Array.isArray(data.a) || row.list !== Array.isArray(data.b)) {
    const [one, other] = [shapeOf(data.a), shapeOf(data.b)];
    return { differences: one === other ? differences : [...differences, located('/data', 'type', one, other)], start };
  }
  const found = row.list
    ? pageDifferences(pair, input)
    : compareEntities(pair, membersOf(data.a), membersOf(data.b), '/data', input);
  return { differences: [...differences, ...found.differences], start: [...start, ...found.start] };
}

/** A difference, and the aligned pair that shows it; none where it is of all items of a list together. */
export interface PairDifference {
  readonly endpoint: EndpointId;
  readonly located: Located;
  readonly pair: AlignedPair | null;
  /** Where it is of all items of a list together: a pair that has items of both. */
  readonly shownBy?: AlignedPair | undefined;
}

/** Two recordings compared, before anything is said of noise and of whose a difference is. */
export interface RawComparison {
  readonly compared: number;
  readonly pairs: readonly AlignedPair[];
  readonly differences: readonly PairDifference[];
  readonly unaligned: readonly Unaligned[];
  /** Values that were there before the run and differ: endpoint, pointer, how often. */
  readonly start: ReadonlyMap<string, number>;
}

/** The text by which a place of an operation is known. */
export const placeOf = (endpoint: string, pointer: string): string => `${endpoint} ${pointer}`;

/** Compares two recordings, request by request; `isSelf`: both are of one server, to learn what moves by itself. */
export function compareRecordings(a: Recording, b: Recording, sameStart: boolean, isSelf = false): RawComparison {
  const { pairs, unaligned } = align(a, b);
  const pages = new PagesShown();
  const counterparts = counterpartsOf(a, b, pairs);
  const input = { counterparts, originsA: originsOf(a), originsB: originsOf(b), sameStart, isSelf, pages };
  const differences: PairDifference[] = [];
  const start = new Map<string, number>();
  const left: Unaligned[] = [...unaligned];
  let compared = 0;
  for (const pair of pairs) {
    const because = notComparable(pair, a.outcome, b.outcome);
    if (because !== null) {
      left.push({ exchange: pair.a, because });
      continue;
    }
    compared += 1;
    const { endpoint } = pair.a;
    const found = compareAnswers(pair, input);
    for (const located of found.differences) differences.push({ endpoint, located, pair });
    for (const pointer of found.start) {
      const place = placeOf(endpoint, pointer);
      start.set(place, (start.get(place) ?? 0) + 1);
    }
  }
  const known = new Set(differences.map(({ endpoint, located }) => placeOf(endpoint, located.pointer)));
  for (const { endpoint, located } of pages.differences())
    if (!known.has(placeOf(endpoint, located.pointer)))
      differences.push({
        endpoint: endpoint as EndpointId,
        located,
        pair: null,
        shownBy: shortestPages(pairs, endpoint),
      });
  return { compared, pairs, differences, unaligned: left, start };
}

/** The pair of pages of an operation with the fewest items of which both have some. */
function shortestPages(pairs: readonly AlignedPair[], endpoint: string): AlignedPair | undefined {
  const pages = pairs.flatMap(pair => {
    const [ofA, ofB] = [itemsOn(pair.a).length, itemsOn(pair.b).length];
    return pair.a.endpoint === endpoint && ofA > 0 && ofB > 0 ? [{ pair, items: ofA + ofB }] : [];
  });
  return pages.toSorted((one, other) => one.items - other.items)[0]?.pair;
}
