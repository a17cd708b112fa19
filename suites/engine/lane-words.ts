import { allUnits, type Unit } from '../checks/units.ts';
import type { LearnedWord, Target } from '../protocol/sut.ts';
import { keyOf, targetWith } from '../sut/learning/words.ts';
import { subjectOf } from '../sut/target.ts';
import type { RunState } from './run-state.ts';

/** The learned words of one lane: what one lane is refused, no other does without. */
export interface LaneWords {
  /** The target as a unit is planned with it. */
  targetFor(unit: Unit): Target;
  /** Notes that the target refused a word. Units planned after this one do without it. */
  noteRefused(word: LearnedWord): void;
  /** Emits what was refused to a unit, once it has ended. */
  settle(unit: Unit): void;
}

const order: ReadonlyMap<string, number> = new Map(allUnits().map(({ id }, index) => [id, index]));
const laneOf: ReadonlyMap<string, string> = new Map(allUnits().map(({ id, lane }) => [id, lane]));

/**
 * True of a word that was refused before a unit was planned: while learning, or to an earlier unit of the same lane. It
 * depends on the order of the plan alone, so that a replayed unit is planned as it was.
 */
const isRefusedBefore =
  ({ id, lane }: Unit) =>
  ({ refusedBy = [] }: LearnedWord): boolean =>
    refusedBy.some(by => !order.has(by) || (laneOf.get(by) === lane && (order.get(by) ?? 0) < (order.get(id) ?? 0)));

/** Opens the words of a lane. */
export function openLaneWords(
  { config, emit }: Pick<RunState, 'config' | 'emit'>,
  learned: readonly LearnedWord[],
): LaneWords {
  let words = learned;
  /** Units that are planned with the same words share a target, and what was made for it. */
  const made = new Map<string, Target>();
  const refused = new Map<string, LearnedWord>();
  return {
    targetFor(unit) {
      const { endpoint } = unit;
      const isRefused = isRefusedBefore(unit);
      const key = JSON.stringify([endpoint, words.filter(isRefused).map(keyOf)]);
      const target =
        made.get(key) ?? targetWith(config.target, words, endpoint, subjectOf(config.target, endpoint), isRefused);
      made.set(key, target);
      return target;
    },
    noteRefused: word => void refused.set(keyOf(word), word),
    settle(unit) {
      const keys = [...refused.keys()].sort();
      refused.clear();
      for (const key of keys) {
        const known = words.find(word => keyOf(word) === key);
        if (known === undefined || known.refusedBy?.includes(unit.id) === true) continue;
        const now = { ...known, refusedBy: [...(known.refusedBy ?? []), unit.id] };
        words = words.map(word => (word === known ? now : word));
        made.clear();
        emit({ event: 'learned', ...now });
      }
    },
  };
}
