import type { DifferenceAspect } from '../../../contracts/report/difference.ts';
import { entryOf } from '../../protocol/entries.ts';
import { type PairDifference, placeOf } from '../compare/differences.ts';
import { isOfAnswer, type Located, located } from '../compare/values.ts';

/** The aspects that may differ at a place once one of them is noise: a random value may be anything. */
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

/** Number of cases from which a varying answer is noise at the whole operation, not only in those cases. */
const mostCases = 3;

interface Learned {
  readonly side: string;
  /** True if it is noise in all cases, however few showed it. */
  readonly isOfValue: boolean;
  readonly aspects: Set<DifferenceAspect>;
  readonly cases: Set<string>;
}

// Whether an answer comes, is accepted, and with which status are three separate aspects.
const keyOf = (endpoint: string, one: Located): string =>
  `${placeOf(endpoint, one.pointer)}${isOfAnswer(one) ? ` ${one.aspect}` : ''}`;

const ofAnswers = (['outcome', 'status', 'answered'] as const).map(aspect => located('status', aspect, '', ''));

/**
 * Learns noise from comparisons of servers with themselves. A field that varies in one case is noise in all, because
 * random values and values written by others vary anywhere. An answer that is accepted once and refused once is noise
 * only in its case.
 *
 * @param own the differences between runs of one side, by the name of the side
 * @returns why a difference is noise; null if it is not
 */
export function learnNoise(own: readonly (readonly [side: string, differences: readonly PairDifference[]])[]) {
  const learned = new Map<string, Learned>();
  for (const [side, differences] of own)
    for (const { endpoint, located: one, pair } of differences) {
      const { aspects, cases } = entryOf(learned, keyOf(endpoint, one), () => ({
        side,
        isOfValue: !isOfAnswer(one),
        aspects: new Set(),
        cases: new Set(),
      }));
      for (const aspect of brings[one.aspect]) aspects.add(aspect);
      if (pair) cases.add(pair.of);
    }
  return ({ endpoint, located: one, pair }: PairDifference): string | null => {
    const isOfCase = ({ cases }: Learned): boolean => pair !== null && cases.has(pair.of);
    const inCase = ({ side }: Learned): string => `${side} answers this case now so, now so`;
    // If the answer as a whole varies in this case, so does everything in it.
    const answer = ofAnswers.flatMap(other => learned.get(keyOf(endpoint, other)) ?? []).find(isOfCase);
    if (answer) return inCase(answer);
    const same = learned.get(keyOf(endpoint, one));
    const known = same?.aspects.has(one.aspect) ? same : parentOf(learned, endpoint, one.pointer);
    if (!known) return null;
    if (known.isOfValue || known.cases.size >= mostCases) return `${known.side} differs from itself here`;
    return isOfCase(known) ? inCase(known) : null;
  };
}

/** Returns the noise of an enclosing list or object: if it varies as a whole, so may everything in it. */
function parentOf(learned: ReadonlyMap<string, Learned>, endpoint: string, pointer: string): Learned | undefined {
  for (let at = pointer.lastIndexOf('/'); at > 0; at = pointer.lastIndexOf('/', at - 1)) {
    const known = learned.get(placeOf(endpoint, pointer.slice(0, at)));
    if (known && pointer.slice(0, at) !== '/data') return known;
  }
  return undefined;
}
