import type { Schema } from '../../../contracts/dialect.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { distinct, grouped } from '../../../contracts/grouped.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { propertiesOf } from '../../judge/compared.ts';
import { caseOf, createdName, isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';

/** Two exchanges of the same case with corresponding requests. */
export interface AlignedPair {
  /** `endpoint/check#path`. */
  readonly of: string;
  readonly a: RecordedExchange;
  readonly b: RecordedExchange;
  /** True if earlier in the case only one side received or accepted a write: a difference may come from that. */
  readonly isApart: boolean;
}

/** An exchange without counterpart, and the reason. */
export interface Unaligned {
  readonly exchange: RecordedExchange;
  readonly because: string;
}

/** The pairs and the unpaired exchanges of two recordings. */
interface Alignment {
  readonly pairs: readonly AlignedPair[];
  readonly unaligned: readonly Unaligned[];
}

/** The exchanges of one case, and the token in the names that the run created. */
interface CaseOfSide {
  readonly exchanges: readonly RecordedExchange[];
  readonly token: string;
}

/** Returns the exchanges of each case, in the order sent. */
function byCase(recording: Recording): ReadonlyMap<string, readonly RecordedExchange[]> {
  const cases = grouped(recording.exchanges, ({ id }) => caseOf(id, recording));
  cases.delete(null);
  return cases as Map<string, RecordedExchange[]>;
}

const isReading = ({ request: { method, body, own } }: RecordedExchange): boolean =>
  own && (method === 'GET' || (isObject(body) && Object.keys(body).length === 0));

/** Returns a case with only the last of repeated reads: a client that waits for a write reads until it shows. */
const settled = (exchanges: readonly RecordedExchange[]): RecordedExchange[] =>
  exchanges.filter((one, index) => {
    const next = exchanges[index + 1];
    if (!next || !isReading(one) || !isReading(next)) return true;
    return one.request.path !== next.request.path || one.request.key !== next.request.key;
  });

/** Returns the documented members of a body at every depth, all items of a list taken together. */
function membersAsked(body: Json | undefined, schema: Schema | undefined, at = ''): string[] {
  if (Array.isArray(body)) return body.flatMap(item => membersAsked(item, schema?.items, `${at}*`));
  if (!isObject(body)) return [];
  const documented = propertiesOf(schema);
  // The members of a free-form object are the server's own.
  if (at !== '' && !documented) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    // So is a nested undocumented member: the client sends back the server's own value whole.
    at !== '' && !Object.hasOwn(documented ?? {}, name)
      ? []
      : [`${at}/${name}`, ...membersAsked(value as Json, documented?.[name], `${at}/${name}`)],
  );
}

/** Returns the shape of a request without a server's own words, and the body as sent. Memoized: needed often. */
const askedOnce = memoized(({ endpoint, request }: RecordedExchange): { text: string; body: string } => {
  const { method, own, key, query = {}, body, raw } = request;
  const members = distinct(membersAsked(body, endpointRow(endpoint).body ?? undefined))
    .sort()
    .join();
  const shape = raw === undefined ? (isObject(body) ? members : typeof body) : 'raw';
  return {
    text: [endpoint, method, own, key, Object.keys(query).sort().join(), shape].join(' '),
    body: JSON.stringify([body, query, raw]),
  };
});

const askedFor = (exchange: RecordedExchange): string => askedOnce(exchange).text;

/** Returns the sent text with the run's names masked; `hasParam` includes the path parameter. */
function sentWords(exchange: RecordedExchange, token: string, hasParam: boolean): string {
  const text = `${askedOnce(exchange).body} ${hasParam ? exchange.request.param : ''}`;
  const unmarked = text.replaceAll(createdName, '«»');
  return token === '' ? unmarked : unmarked.replaceAll(token, '«»');
}

/**
 * Pairs the exchanges of one case: first equal requests, then those that differ only in the path parameter, then those
 * of equal shape. If both sides sent a request, but one more often, the surplus stays unpaired: a repeated control is
 * no other request.
 */
function pairsOfCase(a: CaseOfSide, b: CaseOfSide): Map<RecordedExchange, RecordedExchange> {
  const pairs = new Map<RecordedExchange, RecordedExchange>();
  const left = { a: [...a.exchanges], b: [...b.exchanges] };
  const pairBy = (keyOf: (one: RecordedExchange, token: string) => string): void => {
    const waiting = grouped(left.b, one => keyOf(one, b.token));
    for (const one of left.a) {
      const other = waiting.get(keyOf(one, a.token))?.shift();
      if (other) pairs.set(one, other);
    }
    const taken = new Set(pairs.values());
    left.a = left.a.filter(one => !pairs.has(one));
    left.b = left.b.filter(one => !taken.has(one));
  };
  const sentBy =
    (hasParam: boolean) =>
    (one: RecordedExchange, token: string): string =>
      `${askedFor(one)} ${sentWords(one, token, hasParam)}`;
  pairBy(sentBy(true));
  const sent = sentBy(false);
  pairBy(sent);
  const sentByA = new Set(a.exchanges.map(one => sent(one, a.token)));
  const sentByB = new Set(b.exchanges.map(one => sent(one, b.token)));
  left.a = left.a.filter(one => !sentByB.has(sent(one, a.token)));
  left.b = left.b.filter(one => !sentByA.has(sent(one, b.token)));
  pairBy(askedFor);
  return pairs;
}

function alignCase(of: string, ofA: CaseOfSide, ofB: CaseOfSide): Alignment {
  const counterparts = pairsOfCase(ofA, ofB);
  const pairs = ofA.exchanges.flatMap(a => {
    const b = counterparts.get(a);
    return b ? { of, a, b } : [];
  });
  const taken = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  const alone = ({ exchanges }: CaseOfSide, side: string): Unaligned[] =>
    exchanges
      .filter(exchange => !taken.has(exchange))
      .map(exchange => ({ exchange, because: `only ${side} was sent it, for what was answered before differs` }));
  const unaligned = [...alone(ofA, 'A'), ...alone(ofB, 'B')];
  const writes = new Set(unaligned.map(({ exchange }) => exchange).filter(exchange => !isReading(exchange)));
  for (const { a, b } of pairs) {
    // A write that only one side accepted leaves the two states different.
    const isTakenByOne = !isReading(a) && isAcceptedStatus(a) !== isAcceptedStatus(b);
    if (isTakenByOne || !isSameRequest(a.request.body, b.request.body)) writes.add(a).add(b);
  }
  const isAfter = (one: RecordedExchange, { exchanges }: CaseOfSide): boolean =>
    exchanges.slice(0, exchanges.indexOf(one)).some(before => writes.has(before));
  return { pairs: pairs.map(pair => ({ ...pair, isApart: isAfter(pair.a, ofA) || isAfter(pair.b, ofB) })), unaligned };
}

/** True if two bodies are equal except for texts, which may hold a server's own names. */
function isSameRequest(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a === 'string' && typeof b === 'string') return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameRequest(item, b[index]));
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every(name => isSameRequest(a[name], b[name]));
  }
  return a === b;
}

/** Returns why a side was not sent a case: its check was untested, its run ended early, or its plan lacks it. */
function missing(of: string, side: string, { untested, outcome }: Recording): string {
  const because = untested[of.slice(0, of.indexOf('#'))];
  if (because !== undefined) return `${side} could not be tested: ${because}`;
  if (outcome !== 'complete') return `the run of ${side} ended before it was sent`;
  return `${side} was not sent the case, for what it shows of itself leads to others`;
}

/** Aligns two recordings, case by case and then request by request. */
export function align(a: Recording, b: Recording): Alignment {
  const [casesOfA, casesOfB] = [byCase(a), byCase(b)];
  const unsent = (of: string, exchanges: readonly RecordedExchange[], side: string, other: Recording): Alignment => ({
    pairs: [],
    unaligned: exchanges.map(exchange => ({ exchange, because: missing(of, side, other) })),
  });
  const ofA = [...casesOfA].map(([of, own]) => {
    const others = casesOfB.get(of);
    return others
      ? alignCase(of, { exchanges: settled(own), token: a.token }, { exchanges: settled(others), token: b.token })
      : unsent(of, own, 'B', b);
  });
  const ofB = [...casesOfB].map(([of, own]) => unsent(of, casesOfA.has(of) ? [] : own, 'A', a));
  return {
    pairs: ofA.flatMap(({ pairs }) => pairs),
    unaligned: [...ofA, ...ofB].flatMap(({ unaligned }) => unaligned),
  };
}
