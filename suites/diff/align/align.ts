import type { Schema } from '../../../contracts/dialect.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { grouped } from '../../../contracts/grouped.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { propertiesOf } from '../../judge/compared.ts';
import { caseOf, createdName, isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';

/** Two exchanges of the same case that asked the same. */
export interface AlignedPair {
  /** `endpoint/check#path`. */
  readonly of: string;
  readonly a: RecordedExchange;
  readonly b: RecordedExchange;
  /** Before it in the case, only one side was sent, or took, something that writes: what they show may come of that. */
  readonly isApart: boolean;
}

/** Why an exchange has no counterpart. */
export interface Unaligned {
  readonly exchange: RecordedExchange;
  readonly because: string;
}

/** Two recordings, exchange by exchange. */
interface Alignment {
  readonly pairs: readonly AlignedPair[];
  readonly unaligned: readonly Unaligned[];
}

/** What was sent for a case of a run, whose token is in the names that it created. */
interface CaseOfSide {
  readonly exchanges: readonly RecordedExchange[];
  readonly token: string;
}

/** The exchanges of each case, in the order in which they were sent. */
function byCase(recording: Recording): ReadonlyMap<string, readonly RecordedExchange[]> {
  const cases = grouped(recording.exchanges, ({ id }) => caseOf(id, recording));
  cases.delete(null);
  return cases as Map<string, RecordedExchange[]>;
}

const isReading = ({ request: { method, body, own } }: RecordedExchange): boolean =>
  own && (method === 'GET' || (isObject(body) && Object.keys(body).length === 0));

/** A case without the readings that were repeated at once: who waits for a write to show reads until it does. */
const settled = (exchanges: readonly RecordedExchange[]): RecordedExchange[] =>
  exchanges.filter((one, index) => {
    const next = exchanges[index + 1];
    if (next === undefined || !isReading(one) || !isReading(next)) return true;
    return one.request.path !== next.request.path || one.request.key !== next.request.key;
  });

/** The members of a body at every depth that the contract documents, those of all items of a list as one. */
function membersAsked(body: Json | undefined, schema: Schema | undefined, at = ''): string[] {
  if (Array.isArray(body)) return body.flatMap(item => membersAsked(item, schema?.items, `${at}*`));
  if (!isObject(body)) return [];
  const documented = propertiesOf(schema);
  // What is in an object of free form is a server's own.
  if (at !== '' && documented === undefined) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    // So is a member within that no table names: what a server shows is sent back to it whole.
    at !== '' && !Object.hasOwn(documented ?? {}, name)
      ? []
      : [`${at}/${name}`, ...membersAsked(value as Json, documented?.[name], `${at}/${name}`)],
  );
}

/** What is asked, without the words that are a server's own, and the body as it was sent. Asked for again and again. */
const askedOnce = memoized(({ endpoint, request }: RecordedExchange): { text: string; body: string } => {
  const { method, own, key, query = {}, body, raw } = request;
  const members = [...new Set(membersAsked(body, endpointRow(endpoint).body ?? undefined))].sort().join();
  const shape = raw === undefined ? (isObject(body) ? members : typeof body) : 'raw';
  return {
    text: [endpoint, method, own, key, Object.keys(query).sort().join(), shape].join(' '),
    body: JSON.stringify([body, query, raw]),
  };
});

const askedFor = (exchange: RecordedExchange): string => askedOnce(exchange).text;

/** What was sent, but for what marks a run in it; `param` counts where both servers name their entities alike. */
function sentWords(exchange: RecordedExchange, token: string, hasParam: boolean): string {
  const text = `${askedOnce(exchange).body} ${hasParam ? exchange.request.param : ''}`;
  const unmarked = text.replaceAll(createdName, '«»');
  return token === '' ? unmarked : unmarked.replaceAll(token, '«»');
}

/**
 * Pairs the exchanges of one case: first those that sent the same, then those that sent the same in the words of each
 * server. What both sent, and one of them more often, has no counterpart then: a control that was repeated is not
 * another request.
 */
function pairsOfCase(a: CaseOfSide, b: CaseOfSide): Map<RecordedExchange, RecordedExchange> {
  const pairs = new Map<RecordedExchange, RecordedExchange>();
  const left = { a: [...a.exchanges], b: [...b.exchanges] };
  const pairBy = (keyOf: (one: RecordedExchange, token: string) => string): void => {
    const waiting = grouped(left.b, one => keyOf(one, b.token));
    for (const one of left.a) {
      const other = waiting.get(keyOf(one, a.token))?.shift();
      if (other !== undefined) pairs.set(one, other);
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
    return b === undefined ? [] : { of, a, b };
  });
  const taken = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  const alone = ({ exchanges }: CaseOfSide, side: string): Unaligned[] =>
    exchanges
      .filter(exchange => !taken.has(exchange))
      .map(exchange => ({ exchange, because: `only ${side} was sent it, for what was answered before differs` }));
  const unaligned = [...alone(ofA, 'A'), ...alone(ofB, 'B')];
  const writes = new Set(unaligned.map(({ exchange }) => exchange).filter(exchange => !isReading(exchange)));
  for (const { a, b } of pairs) {
    // What only one of them took is there at that one alone.
    const isTakenByOne = !isReading(a) && isAcceptedStatus(a) !== isAcceptedStatus(b);
    if (isTakenByOne || !isSameRequest(a.request.body, b.request.body)) writes.add(a).add(b);
  }
  const isAfter = (one: RecordedExchange, { exchanges }: CaseOfSide): boolean =>
    exchanges.slice(0, exchanges.indexOf(one)).some(before => writes.has(before));
  return { pairs: pairs.map(pair => ({ ...pair, isApart: isAfter(pair.a, ofA) || isAfter(pair.b, ofB) })), unaligned };
}

/** True of two bodies that say the same but for texts, in which the names of a server may stand. */
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

/** Why a case was not sent to a side: what the side says of its check, or that its plan has no such case. */
function missing(of: string, side: string, { untested, outcome }: Recording): string {
  const because = untested[of.slice(0, of.indexOf('#'))];
  if (because !== undefined) return `${side} could not be tested: ${because}`;
  if (outcome !== 'complete') return `the run of ${side} ended before it was sent`;
  return `${side} was not sent the case, for what it shows of itself leads to others`;
}

/** Sets two recordings side by side: case by case, and in a case request by request. */
export function align(a: Recording, b: Recording): Alignment {
  const [casesOfA, casesOfB] = [byCase(a), byCase(b)];
  const unsent = (of: string, exchanges: readonly RecordedExchange[], side: string, other: Recording): Alignment => ({
    pairs: [],
    unaligned: exchanges.map(exchange => ({ exchange, because: missing(of, side, other) })),
  });
  const ofA = [...casesOfA].map(([of, own]) => {
    const others = casesOfB.get(of);
    return others === undefined
      ? unsent(of, own, 'B', b)
      : alignCase(of, { exchanges: settled(own), token: a.token }, { exchanges: settled(others), token: b.token });
  });
  const ofB = [...casesOfB].map(([of, own]) => unsent(of, casesOfA.has(of) ? [] : own, 'A', a));
  return {
    pairs: ofA.flatMap(({ pairs }) => pairs),
    unaligned: [...ofA, ...ofB].flatMap(({ unaligned }) => unaligned),
  };
}
