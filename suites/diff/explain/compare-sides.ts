import { endpointRow } from '../../../contracts/endpoints.ts';
import { distinct, grouped } from '../../../contracts/grouped.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { anyPosition, at, steps } from '../../../contracts/pointer.ts';
import type { Comparison, Noise, SideOfDifference } from '../../../contracts/report/difference.ts';
import { inWords } from '../../judge/words.ts';
import { entryOf } from '../../protocol/entries.ts';
import type { AlignedPair, Unaligned } from '../align/align.ts';
import { compareRecordings, type PairDifference } from '../compare/differences.ts';
import { type Located, lackingOf, located } from '../compare/values.ts';
import { isAcceptedStatus, type RecordedExchange, type Recording } from '../record/recording.ts';
import { breachesOf, type OneSided } from './breaches.ts';
import { type Circumstances, circumstancesOf, whyEnough } from './circumstances.ts';
import { learnNoise } from './noise.ts';
import { openRequirementOf } from './open-rows.ts';
import { createPlaces, type Places } from './places.ts';

/** The recordings of one side: its last run first, then the runs that look for noise. */
export type RunsOfSide = readonly [Recording, ...Recording[]];

/** What a side shows by itself. It is remembered: one side may be compared with many others. */
const shownAlone = memoized((runs: RunsOfSide) => {
  const [last, ...more] = runs;
  const circumstances = circumstancesOf(runs);
  /** By whether both sides started alike: how the last run differs from each other run of the side. */
  const known = new Map<boolean, readonly (readonly PairDifference[])[]>();
  const compared = (sameStart: boolean): readonly (readonly PairDifference[])[] =>
    more.map(one =>
      compareRecordings(last, one, sameStart, true).differences.filter(
        ({ pair }) => !pair || !whyEnough(pair, circumstances, circumstances),
      ),
    );
  return { circumstances, differences: (sameStart: boolean) => entryOf(known, sameStart, () => compared(sameStart)) };
});

/** What each side refuses because of its circumstances. */
type CircumstancesOfBoth = Readonly<Record<SideOfDifference, Circumstances>>;

/** Compares the recordings of two sides. */
export function compareSides(a: RunsOfSide, b: RunsOfSide, sameStart: boolean) {
  const [lastOfA] = a;
  const [lastOfB] = b;
  const raw = compareRecordings(lastOfA, lastOfB, sameStart);
  const breaches = breachesOf(a, b);
  const alone = { a: shownAlone(a), b: shownAlone(b) };
  const circumstances = { a: alone.a.circumstances, b: alone.b.circumstances };
  const places = createPlaces(lastOfA, lastOfB, raw.pairs);
  const broken = addBreaches(breaches.oneSided, raw.pairs, places);
  const noiseIn = learnNoise([
    ...alone.a.differences(sameStart).map(own => ['A', own] as const),
    ...alone.b.differences(sameStart).map(own => ['B', own] as const),
  ]);
  const noise = new Map<string, Noise>();
  /** Pairs that could not be compared because of circumstances, with the reason. */
  const refused = new Map<AlignedPair, string>();
  for (const difference of raw.differences) {
    const { endpoint, located, pair } = difference;
    if (breaches.behind(difference)) continue;
    const enough = pair && whyEnough(pair, circumstances.a, circumstances.b);
    if (pair && enough) {
      refused.set(pair, enough);
      continue;
    }
    const because = noiseIn(difference);
    if (!because) {
      const requirement = requirementOf(difference, [lastOfA, lastOfB], circumstances);
      const label = requirement === undefined ? 'unsaid' : 'open';
      places.add({ ...difference, pair: pair ?? difference.shownBy ?? null, label, requirement });
      continue;
    }
    const { pointer } = located;
    const key = `${endpoint} ${pointer} ${because}`;
    noise.set(key, { endpoint, pointer, because, count: (noise.get(key)?.count ?? 0) + 1 });
  }
  const found = places.all();
  const differing = new Set([...broken, ...raw.differences.flatMap(({ pair }) => pair ?? [])]);
  const compared = raw.compared - refused.size;
  const notCompared = [...refused].map(([{ a: exchange }, because]) => ({ exchange, because }));
  const comparison: Comparison = {
    compared,
    alike: compared - [...differing].filter(pair => !refused.has(pair)).length,
    places: found.map(({ place }) => place),
    notCompared: notComparedOf([...raw.unaligned, ...notCompared]),
    noise: [...noise.values()],
    start: raw.start,
    shared: breaches.shared,
  };
  return {
    comparison,
    found,
    /** Returns the pairs of the case of a pair, up to and including it. */
    until: places.until,
  };
}

/** Adds the breaches of one side that the other keeps. Returns the pairs that show them. */
function addBreaches(oneSided: readonly OneSided[], pairs: readonly AlignedPair[], places: Places): AlignedPair[] {
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
    const isLacking = pair !== null && aspect === 'presence';
    const lacks = isLacking ? lackingOf(at(pair.a.value, pointer), at(pair.b.value, pointer)) : undefined;
    const place = located(anyPosition(pointer), aspect, words.a, words.b, lacks);
    places.add({ endpoint, located: place, pair, label: `${side}-breaks`, requirement, level });
    return pair ?? [];
  });
}

/** Returns the OPEN requirement that allows a difference. */
function requirementOf(
  { endpoint, located, pair }: PairDifference,
  recordings: readonly Recording[],
  circumstances: CircumstancesOfBoth,
): string | undefined {
  if (pair && located.aspect === 'outcome') {
    const closed = circumstances.a.isClosed(pair.a) ? pair.a : circumstances.b.isClosed(pair.b) ? pair.b : undefined;
    if (closed) return closed.status === 403 ? 'open.key-kinds' : undefined;
  }
  const about = recordings.flatMap(({ pointers }) => (pair ? (pointers[pair.of] ?? []) : []))[0] ?? '';
  return openRequirementOf({
    row: endpointRow(endpoint),
    located,
    a: pair?.a ?? null,
    b: pair?.b ?? null,
    about: steps(about),
  });
}

/** Returns what the side that keeps a requirement shows at the place of the breach. */
function shownBy(exchange: RecordedExchange | undefined, { pointer, expected }: OneSided): string {
  if (!exchange) return `unknown, as it was not asked (expected ${expected})`;
  if (exchange.failure !== undefined) return `no answer (${exchange.failure})`;
  if (!pointer.startsWith('/')) return `status ${exchange.status}`;
  const value = at(exchange.value, pointer);
  return value === undefined ? `status ${exchange.status}, nothing there` : inWords(value);
}

/** Returns how the two answers differ at a breach. */
function aspectOf({ pointer }: OneSided, pair: AlignedPair | null): Located['aspect'] {
  if (!pair) return pointer === 'status' ? 'status' : 'value';
  const { a, b } = pair;
  if ((a.failure === undefined) !== (b.failure === undefined)) return 'answered';
  if (isAcceptedStatus(a) !== isAcceptedStatus(b)) return 'outcome';
  if (!pointer.startsWith('/')) return a.status === b.status ? 'value' : 'status';
  const [one, other] = [at(a.value, pointer), at(b.value, pointer)];
  if ((one === undefined) !== (other === undefined)) return 'presence';
  return typeof one === typeof other ? 'value' : 'type';
}

const notComparedOf = (unaligned: readonly Unaligned[]): Comparison['notCompared'] =>
  [...grouped(unaligned, ({ because }) => because)].map(([because, all]) => ({
    because,
    count: all.length,
    endpoints: distinct(all.map(({ exchange }) => exchange.endpoint)).sort(),
  }));
