import { endpointRow } from '../../contracts/endpoints.ts';
import { at, steps } from '../../contracts/pointer.ts';
import type { Comparison, DifferencePlace } from '../../contracts/report/difference.ts';
import { inWords } from '../judge/words.ts';
import type { AlignedPair } from './align.ts';
import { breachesOf, type OneSided } from './breaches.ts';
import { compareRecordings, type PairDifference, type RawComparison } from './differences.ts';
import { exampleOf, loneExample, pairsByCase, sizeOf } from './examples.ts';
import { anyPosition, type Located } from './located.ts';
import { learnNoise } from './noise.ts';
import { openRequirementOf } from './open-rows.ts';
import type { RecordedExchange, Recording } from './recording.ts';

/** The recordings of one side: that of its last run, and those that were made to see what differs from itself. */
export type RunsOfSide = readonly [Recording, ...Recording[]];

/** A place that was found, and the pair that shows it best. */
export interface FoundPlace {
  place: DifferencePlace;
  readonly located: Located;
  readonly pair: AlignedPair | null;
}

/** What a comparison found, before its examples are made smaller. */
export interface Compared {
  readonly comparison: Comparison;
  readonly found: readonly FoundPlace[];
  /** The pairs of the case of a pair, until it. */
  readonly until: (pair: AlignedPair) => readonly AlignedPair[];
}

interface Group {
  readonly first: PairDifference;
  readonly label: DifferencePlace['label'];
  readonly requirement?: string | undefined;
  readonly level?: DifferencePlace['level'];
  readonly words: { readonly a: string; readonly b: string };
  count: number;
  pair: AlignedPair | null;
}

const unitOf = (id: string): string => id.slice(0, Math.max(id.indexOf('#'), 0));

/** What the side that keeps the requirement shows where the other one breaks it. */
function shownBy(exchange: RecordedExchange | undefined, { pointer, expected }: OneSided): string {
  if (exchange === undefined) return expected;
  if (exchange.failure !== undefined) return `no answer (${exchange.failure})`;
  if (!pointer.startsWith('/')) return `status ${exchange.status}`;
  const value = at(exchange.value, pointer);
  return value === undefined ? `status ${exchange.status}, nothing there` : inWords(value);
}

/** Compares what was recorded of two sides. */
export function compareSides(a: RunsOfSide, b: RunsOfSide, sameStart: boolean): Compared {
  const [lastOfA, ...moreOfA] = a;
  const [lastOfB, ...moreOfB] = b;
  const own: (readonly [string, RawComparison])[] = [
    ...moreOfA.map(one => ['A', compareRecordings(lastOfA, one, sameStart)] as const),
    ...moreOfB.map(one => ['B', compareRecordings(lastOfB, one, sameStart)] as const),
  ];
  const noise = learnNoise(own);
  const raw = compareRecordings(lastOfA, lastOfB, sameStart);
  const breaches = breachesOf(a, b);
  const cases = pairsByCase(raw.pairs);
  const casePairs = (pair: AlignedPair): readonly AlignedPair[] => cases.get(pair.of) ?? [pair];
  const pairOfA = new Map(raw.pairs.map(pair => [pair.a.id, pair]));
  const pairOfB = new Map(raw.pairs.map(pair => [pair.b.id, pair]));
  const groups = new Map<string, Group>();
  const add = (key: string, group: Omit<Group, 'count'>): void => {
    const known = groups.get(key);
    if (known === undefined) return void groups.set(key, { ...group, count: 1 });
    known.count += 1;
    if (group.pair === null) return;
    if (known.pair === null || sizeOf(group.pair, casePairs(group.pair)) < sizeOf(known.pair, casePairs(known.pair)))
      known.pair = group.pair;
  };

  for (const breach of breaches.oneSided) {
    const { side, id, endpoint, requirement, level, pointer, actual } = breach;
    const pair = (side === 'a' ? pairOfA : pairOfB).get(id) ?? null;
    const other = pair === null ? undefined : side === 'a' ? pair.b : pair.a;
    const kept = shownBy(other, breach);
    const words = side === 'a' ? { a: actual, b: kept } : { a: kept, b: actual };
    const located: Located = { pointer: anyPosition(pointer), aspect: aspectOf(breach, pair), ...words };
    const first = { endpoint, located, pair };
    add([side, endpoint, requirement, located.pointer].join(' '), {
      first,
      label: `${side}-breaks`,
      requirement,
      level,
      words,
      pair,
    });
  }

  const noisy = new Map<
    string,
    { endpoint: PairDifference['endpoint']; pointer: string; because: string; count: number }
  >();
  for (const difference of raw.differences) {
    const { endpoint, located, pair } = difference;
    if (breaches.behind(difference) !== undefined) continue;
    const because = noise.of(difference);
    if (because !== null) {
      const key = `${endpoint} ${located.pointer} ${because}`;
      const known = noisy.get(key) ?? { endpoint, pointer: located.pointer, because, count: 0 };
      known.count += 1;
      noisy.set(key, known);
      continue;
    }
    const of = pair?.of ?? '';
    const about = lastOfA.pointers[of] ?? lastOfB.pointers[of] ?? '';
    const context = {
      row: endpointRow(endpoint),
      located,
      a: pair?.a ?? null,
      b: pair?.b ?? null,
      about: steps(about),
    };
    const requirement = openRequirementOf(context);
    add([endpoint, located.pointer, located.aspect, requirement].join(' '), {
      first: difference,
      label: requirement === undefined ? 'unsaid' : 'open',
      requirement,
      words: located,
      pair,
    });
  }

  const found = [...groups.values()].map((group): FoundPlace => {
    const { first, label, requirement, level, words, count, pair } = group;
    const { endpoint, located } = first;
    const lone = pair === null ? loneOf(group, lastOfA, lastOfB) : undefined;
    const place: DifferencePlace = {
      endpoint,
      pointer: located.pointer,
      aspect: located.aspect,
      label,
      ...(requirement === undefined ? {} : { requirement }),
      ...(level === undefined ? {} : { level }),
      a: words.a,
      b: words.b,
      occurrences: count,
      example: pair === null ? (lone ?? emptyExample(endpoint)) : exampleOf(pair, casePairs(pair), lastOfA),
    };
    return { place, located, pair };
  });
  const alike = raw.compared - new Set(raw.differences.flatMap(({ pair }) => (pair === null ? [] : [pair]))).size;
  return {
    found,
    until(pair) {
      const all = casePairs(pair);
      return all.slice(0, all.indexOf(pair) + 1);
    },
    comparison: {
      compared: raw.compared,
      alike,
      places: found.map(({ place }) => place),
      notCompared: notComparedOf(raw),
      noise: [...noisy.values()],
      start: [...raw.start].map(([place, count]) => {
        const space = place.indexOf(' ');
        return {
          endpoint: place.slice(0, space) as PairDifference['endpoint'],
          pointer: place.slice(space + 1),
          count,
        };
      }),
      shared: [...breaches.shared],
    },
  };
}

const emptyExample = (endpoint: string): DifferencePlace['example'] => ({
  unit: endpoint,
  path: '',
  title: 'the items of all pages',
  shrinks: 0,
  steps: [],
});

/** What only the side that breaks a requirement was sent. */
function loneOf(
  { label, first, requirement }: Group,
  a: Recording,
  b: Recording,
): DifferencePlace['example'] | undefined {
  if (label !== 'a-breaks' && label !== 'b-breaks') return undefined;
  const side = label === 'a-breaks' ? 'a' : 'b';
  const recording = side === 'a' ? a : b;
  const breach = recording.breaches.find(
    one => one.requirement === requirement && anyPosition(one.pointer) === first.located.pointer,
  );
  const exchange = recording.exchanges.find(one => one.id === breach?.id);
  if (exchange === undefined) return undefined;
  return loneExample(exchange, side, exchange.id.includes('#') ? exchange.id : `${unitOf(exchange.id)}#`, recording);
}

/** In which way the answers differ where one breaks a requirement. */
function aspectOf({ pointer }: OneSided, pair: AlignedPair | null): Located['aspect'] {
  if (pair === null) return 'value';
  const { a, b } = pair;
  if ((a.failure === undefined) !== (b.failure === undefined)) return 'answered';
  const [one, other] = [a, b].map(({ status }) => status >= 200 && status < 300);
  if (one !== other) return 'outcome';
  if (!pointer.startsWith('/')) return a.status === b.status ? 'value' : 'status';
  const shown = [a, b].map(({ value }) => at(value, pointer));
  if ((shown[0] === undefined) !== (shown[1] === undefined)) return 'presence';
  return typeof shown[0] === typeof shown[1] ? 'value' : 'type';
}

function notComparedOf({ unaligned }: RawComparison): Comparison['notCompared'] {
  const reasons = new Map<string, { count: number; endpoints: Set<PairDifference['endpoint']> }>();
  for (const { exchange, because } of unaligned) {
    const known = reasons.get(because) ?? { count: 0, endpoints: new Set() };
    known.count += 1;
    known.endpoints.add(exchange.endpoint);
    reasons.set(because, known);
  }
  return [...reasons].map(([because, { count, endpoints }]) => ({ because, count, endpoints: [...endpoints].sort() }));
}
