import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { said } from '../../judge/words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { violation } from '../../protocol/check.ts';
import type { Suspicion } from '../../state/attribution.ts';
import type { Deviation } from '../../state/expected.ts';
import { hasNoEffect, type Step, stepInWords } from './sequence-steps.ts';
import type { SequenceSubject } from './sequence-subjects.ts';

/** A step that was taken. */
export interface Done {
  readonly step: Step;
  readonly answer: Answer;
  /** Texts that nobody else writes, of a request that must change nothing. */
  readonly marks: readonly string[];
}

/** A member that is otherwise than expected, where it stands and what showed it. */
export interface Found {
  readonly id: string;
  readonly deviation: Deviation;
  readonly answer: Answer;
}

const isRefusedWrite = ({ step, answer }: Done): boolean => !hasNoEffect(step) && !answer.success;

/** What a step breaks by changing something of an entity: its own, or another; undefined where it may. */
function brokenBy(done: Done, id: string, { frame, dry }: SequenceSubject): RequirementId | undefined {
  const { does, on, endpoint } = done.step;
  if (does === 'refused' || isRefusedWrite(done)) return 'reject.no-trace';
  if (does === 'unauthenticated') return 'auth.no-effect';
  if (does === 'dry') return dry;
  if (does === 'read') return undefined;
  if (on !== id) return 'state.neighbours';
  if (does === 'enable') return 'state.enable-groups-frame';
  return endpoint === 'disable-gate' ? 'state.disable-gate-frame' : frame;
}

/** What is broken where a sent value is not there: by disabling, if that was the last to set it. */
function lostBy(
  field: string,
  id: string,
  since: readonly Done[],
  subject: SequenceSubject,
): RequirementId | undefined {
  const last = since.findLast(({ step, answer }) => step.on === id && answer.success && !hasNoEffect(step));
  const isDisabling = field === 'isEnabled' && last?.step.endpoint === 'disable-gate';
  return isDisabling ? 'state.disable-gate-false' : subject.sent;
}

/** How much a step is suspected that something has changed which it does not carry; the last of the most suspected is. */
const suspicionOf = ({ step, answer }: Done, id: string): number => {
  if (step.on !== id) return hasNoEffect(step) ? 0 : 1;
  return hasNoEffect(step) || !answer.success ? 2 : 3;
};

/** The step that is most likely to have changed an entity; the only one, where it was read after each. */
function culpritOf(id: string, since: readonly Done[]): Done | undefined {
  const most = Math.max(...since.map(done => suspicionOf(done, id)));
  return since.findLast(done => suspicionOf(done, id) === most);
}

const isMarkedBy =
  (after: unknown) =>
  ({ marks }: Done): boolean => {
    const text = JSON.stringify(after) ?? '';
    return marks.some(mark => text.includes(mark));
  };

/**
 * What is suspected of something that was found: the step whose mark it bears; else, where a sent value is lost, the
 * write; else what was done since everything was as expected. Null where no step is to blame.
 */
export function suspicionOfFound(
  { id, deviation, answer }: Found,
  { all, since }: { readonly all: readonly Done[]; readonly since: readonly Done[] },
  subject: SequenceSubject,
  key: string,
): Suspicion | null {
  const { field, pointer, after, isSent, expected } = deviation;
  const marking = all.findLast(isMarkedBy(after));
  const culprit = marking ?? culpritOf(id, since);
  if (culprit === undefined) return null;
  const byRequest = marking !== undefined || hasNoEffect(culprit.step) || !isSent;
  const requirement = byRequest ? brokenBy(culprit, id, subject) : lostBy(field, id, since, subject);
  if (requirement === undefined) return null;
  const why = byRequest ? `, whatever came of "${stepInWords(culprit.step, culprit.step.on !== id)}"` : '';
  return {
    key,
    violation: violation(answer, requirement, pointer, { ...expected, words: `${expected.words}${why}` }, said(after)),
    certain: marking !== undefined,
  };
}
