import type { JsonObject } from '../../contracts/json.ts';
import { isObject } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { inWords } from '../judge/words.ts';
import { dataObject } from '../protocol/answer.ts';
import { type NumberedAnswer, violation } from '../protocol/check.ts';
import { areComparable } from '../state/difference.ts';
import { entityKinds } from '../state/entity-kinds.ts';
import { afterWrite, asRead, type Deviation, deviationsOf, type Expected } from '../state/expected.ts';
import { boundedMap } from './bounded.ts';
import type { ShadowOptions } from './shadow.ts';
import {
  bodyOf,
  type Idle,
  idleRequirement,
  leftBy,
  type Moment,
  shownTwice,
  stateBreach,
  stepOf,
  type Tracker,
  tooSoon,
  weightOf,
  withIdle,
} from './shadow-moment.ts';

/** A gate as its answers showed it. */
interface Known {
  readonly expected: Expected;
  /** Writes since that must have left no trace. */
  readonly idle: readonly Idle[];
  /** The place of the answer among all that were followed. */
  readonly at: number;
  /** The place of its last accepted write. */
  readonly writtenAt: number;
  readonly shown: NumberedAnswer;
  /** Its `isEnabled` was last written by disabling it. */
  readonly isDisabled: boolean;
  /** Its last write disabled it. */
  readonly hasDisabled: boolean;
  /** What its last write sent. */
  readonly lastFields: readonly string[];
}

const mostGates = 500;
const kind = entityKinds.gate;

/** Follows gates (sections 4.6 and 4.7): what was not sent stays, what was sent lasts, a disabled gate is disabled. */
export function gateTracker({ tell, cover, notJudged }: ShadowOptions): Tracker {
  const gates = boundedMap<string, Known>(mostGates);
  let place = 0;

  /** The requirement that a deviation breaks, by who can have caused it. */
  function requirementOf(
    one: Deviation,
    known: Known,
    own: JsonObject,
    isDisabling: boolean,
    id: string,
  ): RequirementId {
    const left = leftBy(known.idle, one.field, one.after, kind.row);
    if (left !== undefined) return left;
    if (isDisabling || (known.hasDisabled && one.field !== 'isEnabled')) return 'state.disable-gate-frame';
    const isReading = Object.keys(own).length === 0;
    const others = [...gates.keys()].some(other => other !== id && (gates.get(other)?.writtenAt ?? 0) > known.at);
    // What the last write sent has not been seen since: it may never have been stored.
    const isUnconfirmed = known.at === known.writtenAt && known.lastFields.includes(one.field);
    if (isReading && others && !isUnconfirmed) return 'state.neighbours';
    if (!one.isSent) return 'state.patch-only-sent';
    return one.field === 'isEnabled' && known.isDisabled ? 'state.disable-gate-false' : 'state.patch-every-sent';
  }

  function accepted({ seen, isUnsettled, isOverlapped }: Moment, id: string): void {
    const isDisabling = seen.row.action === 'disable';
    const own: JsonObject = isDisabling ? { isEnabled: false } : isObject(seen.answer.sent) ? seen.answer.sent : {};
    const entity = dataObject(seen.answer);
    const isWrite = Object.keys(own).length > 0;
    const known = gates.get(id);
    const at = place;
    const writtenAt = isWrite ? at : (known?.writtenAt ?? 0);
    const isDisabled = Object.hasOwn(own, 'isEnabled') ? isDisabling : (known?.isDisabled ?? false);
    const hasDisabled = isWrite ? isDisabling : (known?.hasDisabled ?? false);
    const lastFields = isWrite ? Object.keys(own) : (known?.lastFields ?? []);
    if (isOverlapped) {
      gates.delete(id);
      return;
    }
    const expected = known === undefined ? undefined : afterWrite(known.expected, own, false);
    if (isUnsettled && known !== undefined && expected !== undefined) {
      notJudged.add(tooSoon);
      gates.set(id, { ...known, expected, writtenAt, isDisabled, hasDisabled, lastFields }, weightOf(seen));
      return;
    }
    const deviations = expected === undefined ? [] : shownTwice(deviationsOf(kind, expected, entity));
    if (known !== undefined && expected !== undefined) {
      // What the request itself sent is compared by the echo check.
      const told = deviations.filter(({ field }) => !Object.hasOwn(own, field));
      for (const one of told) {
        const requirement = requirementOf(one, known, own, isDisabling, id);
        const actual = `${one.field}: ${inWords(one.before)} became ${inWords(one.after)}`;
        tell(
          stateBreach(
            violation(seen.answer, requirement, one.pointer, one.expected, one.isSent ? inWords(one.after) : actual),
            [known.shown, stepOf(seen)],
          ),
          seen,
        );
      }
      const hasOldOnes = Object.keys(known.expected.sent).some(field => !Object.hasOwn(own, field));
      const isComparable = areComparable(kind.row, known.expected.known, entity, [
        ...kind.leaveOut,
        ...Object.keys(own),
      ]);
      cover(seen, [
        ...(isComparable
          ? [isDisabling ? ('state.disable-gate-frame' as const) : ('state.patch-only-sent' as const)]
          : []),
        ...(hasOldOnes ? (['state.patch-every-sent'] as const) : []),
        ...(isComparable && known.idle.length > 0 ? known.idle.map(({ requirement }) => requirement) : []),
      ]);
    }
    // What was told once is not told of every answer after it.
    const lost = new Set(deviations.map(({ field }) => field));
    // What an earlier write sent has now been seen in another answer, so that what loses it from here on is something else.
    const sent = Object.entries(own).filter(([field]) => !lost.has(field) && Object.hasOwn(entity, field));
    const next: Expected = { ...asRead({ ...expected?.known, ...entity }), sent: Object.fromEntries(sent) };
    const shown = stepOf(seen);
    gates.set(
      id,
      { expected: next, idle: [], at, writtenAt, shown, isDisabled, hasDisabled, lastFields },
      weightOf(seen),
    );
  }

  return {
    resources: new Set(['gate']),
    forget: gates.clear,
    size: () => gates.size,
    note(moment) {
      const { seen, effect } = moment;
      const id = seen.operation?.param ?? '';
      place += 1;
      if (effect === 'accepted') {
        if (seen.row.action === 'disable') cover(seen, ['state.disable-gate-false']);
        const { isEnabled } = dataObject(seen.answer);
        if (seen.row.action === 'disable' && isEnabled === true)
          tell(
            stateBreach(violation(seen.answer, 'state.disable-gate-false', '/data/isEnabled', 'false', 'true'), []),
            seen,
          );
        accepted(moment, id);
        return;
      }
      const known = gates.get(id);
      if (known === undefined) return;
      if (effect === 'unknown') {
        gates.delete(id);
        return;
      }
      const body = seen.row.action === 'disable' ? { isEnabled: false } : bodyOf(seen);
      gates.set(
        id,
        { ...known, idle: withIdle(known.idle, { body, requirement: idleRequirement(effect) }) },
        weightOf(seen),
      );
    },
  };
}
