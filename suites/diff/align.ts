import { isObject, type Json } from '../../contracts/json.ts';
import { type CaseOfSide, pairsOfCase } from './pairing.ts';
import { isAcceptedStatus, type RecordedExchange, type Recording } from './recording.ts';

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
export interface Alignment {
  readonly pairs: readonly AlignedPair[];
  readonly unaligned: readonly Unaligned[];
}

/** The case that an exchange belongs to, `endpoint/check#path`, by its id; null of those that no case sent. */
export function caseOf(id: string, { titles }: Pick<Recording, 'titles'>): string | null {
  // A path may itself end as a number does that counts the requests of its case.
  if (Object.hasOwn(titles, id)) return id;
  const numbered = /^(.*#.*)\.\d+$/.exec(id)?.[1];
  return numbered !== undefined && Object.hasOwn(titles, numbered) ? numbered : null;
}

/** The exchanges of each case, in the order in which they were sent. */
function byCase(recording: Recording): Map<string, RecordedExchange[]> {
  const cases = new Map<string, RecordedExchange[]>();
  for (const exchange of recording.exchanges) {
    const own = caseOf(exchange.id, recording);
    if (own === null) continue;
    const known = cases.get(own);
    if (known === undefined) cases.set(own, [exchange]);
    else known.push(exchange);
  }
  return cases;
}

const isReading = ({ request: { method, body, own } }: RecordedExchange): boolean =>
  own && (method === 'GET' || (isObject(body) && Object.keys(body).length === 0));

/** A case without the readings that were repeated at once: who waits for a write to show reads until it does. */
function settled(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  return exchanges.filter((one, index) => {
    const next = exchanges[index + 1];
    const isRepeated =
      next !== undefined &&
      isReading(one) &&
      isReading(next) &&
      one.request.path === next.request.path &&
      one.request.key === next.request.key;
    return !isRepeated;
  });
}

const alone = (side: string): string => `only ${side} was sent it, for what was answered before differs`;

function alignCase(of: string, ofA: CaseOfSide, ofB: CaseOfSide): Alignment {
  const { exchanges: a } = ofA;
  const { exchanges: b } = ofB;
  const counterparts = pairsOfCase(ofA, ofB);
  const taken = new Set(counterparts.values());
  const pairs: AlignedPair[] = a.flatMap(one => {
    const other = counterparts.get(one);
    return other === undefined ? [] : [{ of, a: one, b: other, isApart: false }];
  });
  const unaligned: Unaligned[] = [
    ...a.flatMap(exchange => (counterparts.has(exchange) ? [] : [{ exchange, because: alone('A') }])),
    ...b.flatMap(exchange => (taken.has(exchange) ? [] : [{ exchange, because: alone('B') }])),
  ];
  const writes = unaligned.flatMap(({ exchange }) => (isReading(exchange) ? [] : [exchange]));
  for (const { a: one, b: other } of pairs) {
    // What only one of them took is there at that one alone.
    const isTakenByOne = !isReading(one) && isAcceptedStatus(one) !== isAcceptedStatus(other);
    if (isTakenByOne || !isSameRequest(one.request.body, other.request.body)) writes.push(one, other);
  }
  const isAfter = (one: RecordedExchange, all: readonly RecordedExchange[]): boolean =>
    writes.some(write => all.includes(write) && all.indexOf(write) < all.indexOf(one));
  return { pairs: pairs.map(pair => ({ ...pair, isApart: isAfter(pair.a, a) || isAfter(pair.b, b) })), unaligned };
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
  const casesOfA = byCase(a);
  const casesOfB = byCase(b);
  const pairs: AlignedPair[] = [];
  const unaligned: Unaligned[] = [];
  for (const [of, own] of casesOfA) {
    const others = casesOfB.get(of);
    if (others === undefined) {
      for (const exchange of own) unaligned.push({ exchange, because: missing(of, 'B', b) });
      continue;
    }
    const aligned = alignCase(
      of,
      { exchanges: settled(own), token: a.token },
      { exchanges: settled(others), token: b.token },
    );
    pairs.push(...aligned.pairs);
    unaligned.push(...aligned.unaligned);
  }
  for (const [of, own] of casesOfB)
    if (!casesOfA.has(of)) for (const exchange of own) unaligned.push({ exchange, because: missing(of, 'A', a) });
  return { pairs, unaligned };
}
