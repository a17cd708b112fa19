import type { Noise } from '../../contracts/report/difference.ts';
import { type PairDifference, placeOf, type RawComparison } from './differences.ts';
import type { Located } from './located.ts';

/** What differs from itself when one server is run twice. */
export interface LearnedNoise {
  /** Why a difference is noise; null where it is none. */
  of(difference: PairDifference): string | null;
  /** What was learned, as a report tells it. */
  all(): Noise[];
}

/** Differences of a whole answer are noise in the cases that showed them; in so many cases, at the whole operation. */
const mostCases = 3;

/** True of a difference of an answer as a whole: whether and how it came, not what it shows. */
const isOfAnswer = ({ aspect }: Located): boolean =>
  aspect === 'outcome' || aspect === 'status' || aspect === 'answered';

interface Learned {
  readonly endpoint: PairDifference['endpoint'];
  readonly pointer: string;
  readonly side: string;
  readonly isOfAnswer: boolean;
  readonly cases: Set<string>;
  count: number;
}

/**
 * Learns from comparisons of servers with themselves. A field that differs from itself in one case is noise in all: what
 * is drawn at random, or written by others, differs anywhere. An answer that was once accepted and once refused says
 * that much of its case alone.
 *
 * @param own the comparisons of each side with itself, by the name of the side
 */
export function learnNoise(own: readonly (readonly [side: string, comparison: RawComparison])[]): LearnedNoise {
  const learned = new Map<string, Learned>();
  for (const [side, comparison] of own) {
    for (const { endpoint, located, pair } of comparison.differences) {
      const key = placeOf(endpoint, located.pointer);
      const known = learned.get(key) ?? {
        endpoint,
        pointer: located.pointer,
        side,
        isOfAnswer: isOfAnswer(located),
        cases: new Set<string>(),
        count: 0,
      };
      known.count += 1;
      if (pair !== null) known.cases.add(pair.of);
      learned.set(key, known);
    }
  }
  const isEverywhere = (one: Learned): boolean => !one.isOfAnswer || one.cases.size >= mostCases;
  return {
    of({ endpoint, located, pair }) {
      // An answer that comes otherwise brings everything that it shows along.
      const answer = learned.get(placeOf(endpoint, 'status'));
      if (pair !== null && answer?.cases.has(pair.of) === true)
        return `${answer.side} answers this case now so, now so`;
      const known = learned.get(placeOf(endpoint, located.pointer)) ?? parentOf(learned, endpoint, located.pointer);
      if (known === undefined) return null;
      if (isEverywhere(known)) return `${known.side} differs from itself here`;
      return pair !== null && known.cases.has(pair.of) ? `${known.side} answers this case now so, now so` : null;
    },
    all: () =>
      [...learned.values()].map(({ endpoint, pointer, side, count }) => ({
        endpoint,
        pointer,
        because: `${side} differs from itself`,
        count,
      })),
  };
}

/** Where a whole list or object differs from itself, so may whatever is in it. */
function parentOf(learned: ReadonlyMap<string, Learned>, endpoint: string, pointer: string): Learned | undefined {
  for (let at = pointer.lastIndexOf('/'); at > 0; at = pointer.lastIndexOf('/', at - 1)) {
    const known = learned.get(placeOf(endpoint, pointer.slice(0, at)));
    if (known !== undefined && pointer.slice(0, at) !== '/data') return known;
  }
  return undefined;
}
