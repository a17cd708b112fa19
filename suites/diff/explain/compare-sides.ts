import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { at, steps } from '../../../contracts/pointer.ts';
import type { Comparison, Noise } from '../../../contracts/report/difference.ts';
import { inWords } from '../../judge/words.ts';
import type { AlignedPair, Unaligned } from '../align/align.ts';
import { compareRecordings, type PairDifference, type RawComparison } from '../compare/differences.ts';
import { anyPosition, type Located, lackingOf, located } from '../compare/located.ts';
import { isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';
import { type Breaches, breachesOf, type OneSided } from './breaches.ts';
import { type Circumstances, circumstancesOf, whyEnough } from './circumstances.ts';
import { type LearnedNoise, learnNoise } from './noise.ts';
import { openRequirementOf } from './open-rows.ts';
import { createPlaces, type FoundPlace, type Places } from './places.ts';

/** The recordings of one side: that of its last run, and those that were made to see what differs from itself. */
export type RunsOfSide = readonly [Recording, ...Recording[]];

/** What a comparison found, before its examples are made smaller. */
interface Compared {
  readonly comparison: Comparison;
  readonly found: readonly FoundPlace[];
  /** The pairs of the case of a pair, until it. */
  readonly until: Places['until'];
}

/** What both sides refuse for their circumstances. */
interface CircumstancesOfBoth {
  readonly a: Circumstances;
  readonly b: Circumstances;
}

/** By what a difference is explained, if not by itself. */
interface OthersInput {
  readonly breaches: Breaches;
  readonly circumstances: CircumstancesOfBoth;
  readonly learned: LearnedNoise;
}

/** Compares what was recorded of two sides. */
export function compareSides(a: RunsOfSide, b: RunsOfSide, sameStart: boolean): Compared {
  const [lastOfA] = a;
  const [lastOfB] = b;
  const raw = compareRecordings(lastOfA, lastOfB, sameStart);
  const breaches = breachesOf(a, b);
  const circumstances = { a: circumstancesOf(a), b: circumstancesOf(b) };
  const places = createPlaces(lastOfA, lastOfB, raw.pairs);
  const broken = addBreaches(breaches, raw, places);
  const input = { breaches, circumstances, learned: noiseOf(a, b, sameStart, circumstances) };
  const { noise, refused } = addOthers(input, raw, [lastOfA, lastOfB], places);
  const found = places.all();
  const differing = new Set([...broken, ...raw.differences.flatMap(({ pair }) => pair ?? [])]);
  const compared = raw.compared - refused.size;
  return {
    found,
    until: places.until,
    comparison: {
      compared,
      alike: compared - [...differing].filter(pair => !refused.has(pair)).length,
      places: found.map(({ place }) => place),
      notCompared: notComparedOf([
        ...raw.unaligned,
        ...[...refused].map(([{ a: exchange }, because]) => ({ exchange, because })),
      ]),
      noise,
      start: startOf(raw),
      shared: [...breaches.shared],
    },
  };
}

/** What each side showed to differ from itself. */
function noiseOf(
  [lastOfA, ...moreOfA]: RunsOfSide,
  [lastOfB, ...moreOfB]: RunsOfSide,
  sameStart: boolean,
  { a, b }: CircumstancesOfBoth,
): LearnedNoise {
  const ownOf = (side: string, last: Recording, one: Recording, own: Circumstances) => {
    const { differences } = compareRecordings(last, one, sameStart, true);
    return [side, differences.filter(({ pair }) => pair === null || whyEnough(pair, own, own) === null)] as const;
  };
  return learnNoise([
    ...moreOfA.map(one => ownOf('A', lastOfA, one, a)),
    ...moreOfB.map(one => ownOf('B', lastOfB, one, b)),
  ]);
}

/** Adds what one side breaks and the other one keeps. Returns the pairs that show it. */
function addBreaches({ oneSided }: Breaches, { pairs }: RawComparison, places: Places): AlignedPair[] {
  const pairsOf = {
    a: new Map(pairs.map(pair => [pair.a.id, pair])),
    b: new Map(pairs.map(pair => [pair.b.id, pair])),
  };
  return oneSided.flatMap(breach => {
    const { side, id, endpoint, requirement, level, pointer, actual } = breach;
    const pair = pairsOf[side].get(id) ?? null;
    const kept = shownBy(side === 'a' ? pair?.b : pair?.a, breach);
    const words = side === 'a' ? { a: actual, b: kept } : { a: kept, b: actual };
    const aspect = aspectOf(breach, pair);
    const lacks =
      pair !== null && aspect === 'presence'
        ? lackingOf(at(pair.a.value, pointer), at(pair.b.value, pointer))
        : undefined;
    const place = located(anyPosition(pointer), aspect, words.a, words.b, lacks);
    places.add({ endpoint, located: place, pair, label: `${side}-breaks`, requirement, level });
    return pair ?? [];
  });
}

/**
 * Adds the differences that no breach explains and that are no noise. Returns those that are, and what could not be
 * compared because one side had enough.
 */
function addOthers(
  { breaches, circumstances, learned }: OthersInput,
  { differences }: RawComparison,
  recordings: readonly Recording[],
  places: Places,
): { readonly noise: Noise[]; readonly refused: ReadonlyMap<AlignedPair, string> } {
  const noise = new Map<string, Noise>();
  const refused = new Map<AlignedPair, string>();
  for (const difference of differences) {
    const { endpoint, located, pair } = difference;
    if (breaches.behind(difference) !== undefined) continue;
    const enough = pair === null ? null : whyEnough(pair, circumstances.a, circumstances.b);
    if (pair !== null && enough !== null) {
      refused.set(pair, enough);
      continue;
    }
    const because = learned.of(difference);
    if (because === null) {
      const requirement = requirementOf(difference, recordings, circumstances);
      const label = requirement === undefined ? 'unsaid' : 'open';
      places.add({ ...difference, pair: pair ?? difference.shownBy ?? null, label, requirement });
      continue;
    }
    const key = `${endpoint} ${located.pointer} ${because}`;
    const known = noise.get(key) ?? { endpoint, pointer: located.pointer, because, count: 0 };
    noise.set(key, { ...known, count: known.count + 1 });
  }
  return { noise: [...noise.values()], refused };
}

/** The OPEN requirement that leaves a difference to servers. */
function requirementOf(
  { endpoint, located, pair }: PairDifference,
  recordings: readonly Recording[],
  circumstances: CircumstancesOfBoth,
): string | undefined {
  if (pair !== null && located.aspect === 'outcome') {
    const [closed] = [pair.a].filter(circumstances.a.isClosed).concat([pair.b].filter(circumstances.b.isClosed));
    if (closed !== undefined) return closed.status === 403 ? 'open.key-kinds' : undefined;
  }
  const about = recordings.flatMap(({ pointers }) => (pair === null ? [] : (pointers[pair.of] ?? [])))[0] ?? '';
  return openRequirementOf({
    row: endpointRow(endpoint),
    located,
    a: pair?.a ?? null,
    b: pair?.b ?? null,
    about: steps(about),
  });
}

/** What the side that keeps the requirement shows where the other one breaks it. */
function shownBy(exchange: RecordedExchange | undefined, { pointer, expected }: OneSided): string {
  if (exchange === undefined) return expected;
  if (exchange.failure !== undefined) return `no answer (${exchange.failure})`;
  if (!pointer.startsWith('/')) return `status ${exchange.status}`;
  const value = at(exchange.value, pointer);
  return value === undefined ? `status ${exchange.status}, nothing there` : inWords(value);
}

/** In which way the answers differ where one breaks a requirement. */
function aspectOf({ pointer }: OneSided, pair: AlignedPair | null): Located['aspect'] {
  if (pair === null) return pointer === 'status' ? 'status' : 'value';
  const { a, b } = pair;
  if ((a.failure === undefined) !== (b.failure === undefined)) return 'answered';
  if (isAcceptedStatus(a) !== isAcceptedStatus(b)) return 'outcome';
  if (!pointer.startsWith('/')) return a.status === b.status ? 'value' : 'status';
  const [one, other] = [at(a.value, pointer), at(b.value, pointer)];
  if ((one === undefined) !== (other === undefined)) return 'presence';
  return typeof one === typeof other ? 'value' : 'type';
}

function notComparedOf(unaligned: readonly Unaligned[]): Comparison['notCompared'] {
  const reasons = new Map<string, { count: number; endpoints: Set<EndpointId> }>();
  for (const { exchange, because } of unaligned) {
    const known = reasons.get(because) ?? { count: 0, endpoints: new Set() };
    known.count += 1;
    known.endpoints.add(exchange.endpoint);
    reasons.set(because, known);
  }
  return [...reasons].map(([because, { count, endpoints }]) => ({ because, count, endpoints: [...endpoints].sort() }));
}

const startOf = ({ start }: RawComparison): Comparison['start'] =>
  [...start].map(([place, count]) => {
    const space = place.indexOf(' ');
    return { endpoint: place.slice(0, space) as EndpointId, pointer: place.slice(space + 1), count };
  });
