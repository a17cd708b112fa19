import type { DifferenceAspect } from '../../../contracts/report/difference.ts';
import { type PairDifference, placeOf } from '../compare/differences.ts';
import type { Located } from '../compare/located.ts';

/** What differs from itself when one server is run twice. */
export interface LearnedNoise {
  /** Why a difference is noise; null where it is none. */
  of(difference: PairDifference): string | null;
}

/** In which ways a place may differ, once it differs from itself in one: a value that is drawn may be any. */
// biome-ignore format: a table
const brings: Readonly<Record<DifferenceAspect, readonly DifferenceAspect[]>> = {
  outcome:  ['outcome'],
  status:   ['status'],
  answered: ['answered', 'outcome'],
  value:    ['value', 'order'],
  order:    ['value', 'order'],
  type:     ['value', 'order', 'type'],
  presence: ['value', 'order', 'type', 'presence'],
};

/** Differences of a whole answer are noise in the cases that showed them; in so many cases, at the whole operation. */
const mostCases = 3;

/** True of a difference of an answer as a whole: whether and how it came, not what it shows. */
const isOfAnswer = ({ aspect }: Located): boolean =>
  aspect === 'outcome' || aspect === 'status' || aspect === 'answered';

interface Learned {
  readonly side: string;
  readonly isOfAnswer: boolean;
  readonly aspects: Set<DifferenceAspect>;
  readonly cases: Set<string>;
}

/**
 * Learns from comparisons of servers with themselves. A field that differs from itself in one case is noise in all: what
 * is drawn at random, or written by others, differs anywhere. An answer that was once accepted and once refused says
 * that much of its case alone.
 *
 * @param own what differs between runs of one side, by the name of the side
 */
export function learnNoise(
  own: readonly (readonly [side: string, differences: readonly PairDifference[]])[],
): LearnedNoise {
  const learned = new Map<string, Learned>();
  // Whether an answer comes, is accepted, and with which status are three things.
  const keyOf = (endpoint: string, located: Located): string =>
    `${placeOf(endpoint, located.pointer)}${isOfAnswer(located) ? ` ${located.aspect}` : ''}`;
  for (const [side, differences] of own) {
    for (const { endpoint, located, pair } of differences) {
      const key = keyOf(endpoint, located);
      const known = learned.get(key) ?? {
        side,
        isOfAnswer: isOfAnswer(located),
        aspects: new Set<DifferenceAspect>(),
        cases: new Set<string>(),
      };
      for (const aspect of brings[located.aspect]) known.aspects.add(aspect);
      if (pair !== null) known.cases.add(pair.of);
      learned.set(key, known);
    }
  }
  const isEverywhere = (one: Learned): boolean => !one.isOfAnswer || one.cases.size >= mostCases;
  const ofAnswers = (['outcome', 'status', 'answered'] as const).map(aspect => ({
    pointer: 'status',
    aspect,
    a: '',
    b: '',
  }));
  return {
    of({ endpoint, located, pair }) {
      // An answer that comes otherwise brings everything that it shows along.
      for (const answer of ofAnswers.flatMap(one => learned.get(keyOf(endpoint, one)) ?? []))
        if (pair !== null && answer.cases.has(pair.of)) return `${answer.side} answers this case now so, now so`;
      const own = learned.get(keyOf(endpoint, located));
      const known = own?.aspects.has(located.aspect) === true ? own : parentOf(learned, endpoint, located.pointer);
      if (known === undefined) return null;
      if (isEverywhere(known)) return `${known.side} differs from itself here`;
      return pair !== null && known.cases.has(pair.of) ? `${known.side} answers this case now so, now so` : null;
    },
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
