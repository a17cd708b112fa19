import { isObject, type Members } from '../../contracts/json.ts';
import { inWords } from '../judge/words.ts';
import { dataObject } from '../protocol/answer.ts';
import { type NumberedAnswer, violation } from '../protocol/check.ts';
import { areComparable } from '../state/difference.ts';
import { differencesIn, entityKinds } from '../state/entity-kinds.ts';
import { boundedMap } from './bounded.ts';
import type { ShadowOptions } from './shadow.ts';
import { shownTwice, stateBreach, stepOf, type Tracker, tooSoon, weightOf } from './shadow-moment.ts';

/** An experiment as its last write showed it, and the place of that among all. */
interface Known {
  readonly entity: Members;
  readonly shown: NumberedAnswer;
  readonly at: number;
  /** What an update sent that no other answer has shown since: it may never have been stored. */
  readonly unconfirmed: readonly string[];
}

const mostExperiments = 300;
const kind = entityKinds.experiment;

/** Follows experiments (section 4.8): enabling groups leaves the rest as it was, and so do writes to others. */
export function experimentTracker({ tell, cover, notJudged }: ShadowOptions): Tracker {
  const experiments = boundedMap<string, Known>(mostExperiments);
  let place = 0;
  return {
    resources: new Set(['experiment']),
    forget: experiments.clear,
    size: () => experiments.size,
    note({ seen, effect, isUnsettled, isOverlapped }) {
      const id = seen.operation?.param ?? '';
      place += 1;
      if (effect === 'refused' || effect === 'unauthorised') return;
      if (effect === 'unknown' || isOverlapped) {
        experiments.delete(id);
        return;
      }
      const entity = dataObject(seen.answer);
      const known = experiments.get(id);
      const isEnabling = seen.row.action === 'enable';
      if (isEnabling && known !== undefined) {
        if (isUnsettled) {
          notJudged.add(tooSoon);
          return;
        }
        // Whatever else was written since may have changed it too.
        const isBeside = experiments.keys().some(other => (experiments.get(other)?.at ?? 0) > known.at);
        const requirementOf = (field: string) =>
          isBeside && !known.unconfirmed.includes(field) ? 'state.neighbours' : 'state.enable-groups-frame';
        if (areComparable(kind.row, known.entity, entity, kind.leaveOut))
          cover(seen, isBeside ? ['state.neighbours'] : ['state.enable-groups-frame']);
        for (const { field, before, after } of shownTwice(differencesIn(kind, known.entity, entity))) {
          const actual = `${field}: ${inWords(before)} became ${inWords(after)}`;
          const expected = `${field} as it was: ${inWords(before)}`;
          tell(
            stateBreach(violation(seen.answer, requirementOf(field), `/data/${field}`, expected, actual), [
              known.shown,
              stepOf(seen),
            ]),
            seen,
          );
        }
      }
      const unconfirmed = isEnabling ? [] : Object.keys(isObject(seen.answer.sent) ? seen.answer.sent : {});
      experiments.set(id, { unconfirmed, entity, shown: stepOf(seen), at: place }, weightOf(seen));
    },
  };
}
