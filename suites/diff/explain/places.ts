import { grouped } from '../../../contracts/grouped.ts';
import { anyPosition } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import type { DifferencePlace } from '../../../contracts/report/difference.ts';
import type { AlignedPair } from '../align/align.ts';
import type { PairDifference } from '../compare/differences.ts';
import type { Located } from '../compare/located.ts';
import type { Recording } from '../record/recording.ts';
import { caseOf } from '../record/recording.ts';
import { type Example, exampleOf, loneExample, sizeOf } from './examples.ts';

/** A place that was found, and the pair that shows it best. */
export interface FoundPlace {
  readonly place: DifferencePlace;
  readonly located: Located;
  readonly pair: AlignedPair | null;
}

/** A difference, and whose it is. */
interface LabelledDifference extends PairDifference {
  readonly label: DifferencePlace['label'];
  readonly requirement?: string | undefined;
  readonly level?: DifferencePlace['level'];
}

/** Gathers differences by their places. */
export interface Places {
  add(difference: LabelledDifference): void;
  /** The places, each with the example that says it with the least. */
  all(): FoundPlace[];
  /** The pairs of the case of a pair, until it. */
  until(pair: AlignedPair): readonly AlignedPair[];
}

interface Group {
  readonly first: LabelledDifference;
  count: number;
  pair: AlignedPair | null;
}

/** Places of the comparison of two recordings, none found yet. */
export function createPlaces(a: Recording, b: Recording, pairs: readonly AlignedPair[]): Places {
  const cases = grouped(pairs, pair => pair.of);
  const casePairs = (pair: AlignedPair): readonly AlignedPair[] => cases.get(pair.of) ?? [pair];
  const size = (pair: AlignedPair | null): number =>
    pair === null ? Number.POSITIVE_INFINITY : sizeOf(pair, casePairs(pair));
  const groups = new Map<string, Group>();
  const exampleFor = (first: LabelledDifference, pair: AlignedPair | null): Example =>
    pair === null ? (loneOf(first, a, b) ?? emptyExample(first.endpoint)) : exampleOf(pair, casePairs(pair), a);
  return {
    add(difference) {
      const { label, endpoint, requirement, located, pair } = difference;
      const key = [label, endpoint, requirement, located.pointer, label.endsWith('breaks') ? '' : located.aspect];
      const known = groups.get(key.join(' ')) ?? { first: difference, count: 0, pair };
      known.count += 1;
      if (size(pair) < size(known.pair)) known.pair = pair;
      groups.set(key.join(' '), known);
    },
    all: () =>
      [...groups.values()].map(({ first, count, pair }): FoundPlace => {
        const { endpoint, label, requirement, level, located } = first;
        const place: DifferencePlace = {
          endpoint,
          pointer: located.pointer,
          aspect: located.aspect,
          label,
          ...present({ requirement, level }),
          a: located.a,
          b: located.b,
          ...present({ lacks: located.lacks }),
          ...(first.pair === null ? {} : { statuses: statusesOf(first.pair) }),
          occurrences: count,
          example: exampleFor(first, pair),
        };
        return { place, located, pair };
      }),
    until(pair) {
      const all = casePairs(pair);
      return all.slice(0, all.indexOf(pair) + 1);
    },
  };
}

/** The statuses of both answers; a side that gave none has none. */
const statusesOf = ({ a, b }: AlignedPair): NonNullable<DifferencePlace['statuses']> => ({
  ...(a.failure === undefined ? { a: a.status } : {}),
  ...(b.failure === undefined ? { b: b.status } : {}),
});

const emptyExample = (endpoint: string): Example => ({
  unit: endpoint,
  path: '',
  title: 'the items of all pages',
  shrinks: 0,
  steps: [],
});

/** What only the side that breaks a requirement was sent. */
function loneOf(
  { label, located, requirement, endpoint }: LabelledDifference,
  a: Recording,
  b: Recording,
): Example | undefined {
  if (label !== 'a-breaks' && label !== 'b-breaks') return undefined;
  const side = label === 'a-breaks' ? 'a' : 'b';
  const recording = side === 'a' ? a : b;
  const showing = new Set(
    recording.breaches.flatMap(one =>
      one.requirement === requirement && anyPosition(one.pointer) === located.pointer ? one.id : [],
    ),
  );
  const exchange = recording.exchanges.find(one => one.endpoint === endpoint && showing.has(one.id));
  if (exchange === undefined) return undefined;
  const { id } = exchange;
  return loneExample(exchange, side, caseOf(id, recording) ?? (id.includes('#') ? id : `${endpoint}#`), recording);
}
