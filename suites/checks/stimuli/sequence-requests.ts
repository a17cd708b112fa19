import type { JsonObject, Members } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { isClientError } from '../../judge/outcome.ts';
import { type Answer, isDryRun, isSilence } from '../../protocol/answer.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { findMissingPart } from '../active/missing-part.ts';
import { changeOfAll, wouldChangeAll } from '../scenarios/changes.ts';
import type { Care, Scenario } from '../scenarios/scenario.ts';
import { hasNoEffect, type Step as SequenceStep } from './sequence-steps.ts';
import { contextFor, entitiesOf, requirementsOf, type SequenceSubject } from './sequence-subjects.ts';
import { shownBy } from './shown.ts';
import { look, type Scene, type Step, stimulus } from './stimulus.ts';

/** Returns the body of a step whose operation has one. */
function bodyOf(step: SequenceStep, own: CheckContext, session: Session, before: Members): JsonObject {
  const { does, body = {}, own: broken, isWhole } = step;
  // A dry run must stay valid, so it adds only plain texts.
  if (does === 'dry') return { ...wouldChangeAll(own, session, null, body), dryRun: true };
  if (hasNoEffect(step)) return wouldChangeAll(own, session, before, body, broken);
  if (isWhole !== true) return body;
  const kept = own.row.action === 'patch' ? {} : body;
  return { ...kept, ...changeOfAll(own, before, Object.keys(kept)) };
}

/** Sends a step; null if its request is withheld, or needs something that the target file does not name. */
async function send(
  step: SequenceStep,
  { creates }: SequenceSubject,
  { context, session, seen }: Scene,
): Promise<Answer | null> {
  const { endpoint, on, does, isCut } = step;
  const own = contextFor(context, endpoint, context.minimal.param === undefined ? undefined : on);
  if (own === undefined) return null;
  const before = seen.get(on) ?? {};
  const body = own.row.body === null ? undefined : bodyOf(step, own, session, before);
  const content = isCut === true ? { raw: JSON.stringify(body).slice(0, -1) } : body === undefined ? {} : { body };
  const answer = await unlessWithheld(
    session.send({
      endpoint,
      param: own.minimal.param,
      ...content,
      ...(does === 'unauthenticated' && { key: { kind: 'none' } }),
      ...(creates && { spare: true }),
    }),
  );
  if (answer?.success === true && !hasNoEffect(step) && !isDryRun(answer)) seen.set(on, { ...before, ...body });
  return answer;
}

/** Takes a step of a sequence; a missing answer ends the sequence. */
const taken =
  (step: SequenceStep, subject: SequenceSubject): Step =>
  async scene => {
    const answer = await send(step, subject, scene);
    const isTooMuch = step.isWhole === true && answer !== null && isClientError(answer);
    if (isTooMuch) await findMissingPart(scene.context, scene.session, answer);
    const last = isTooMuch ? await send({ ...step, isWhole: undefined }, subject, scene) : answer;
    return last !== null && (isSilence(last) || last.status >= 500)
      ? { because: 'a step brought no answer', answer: last }
      : undefined;
  };

/** Returns updates of the entities that must be overwritten because nothing is known of them yet. */
function overwriting(
  { write, overwritten }: SequenceSubject,
  context: CheckContext,
  written: readonly string[],
): SequenceStep[] {
  if (overwritten !== true || write === null) return [];
  return written.flatMap(on => {
    const body = contextFor(context, write, on)?.minimal.body;
    return body === undefined ? [] : [{ does: 'write', endpoint: write, on, body, isWhole: true } as const];
  });
}

/** The entities of each subject as a run last saw them: the sequences of one check continue where another's ended. */
const lastSeen = memoized((_run: object) =>
  memoized((_subject: SequenceSubject): Care['seen'] => new Map<string, Members>()),
);

/** Takes steps one after another, and reads the entities where a step says so and at the end. */
export const follow =
  (steps: readonly SequenceStep[], subject: SequenceSubject): Scenario =>
  (context, session, own) => {
    const care = { ...own, seen: session.run === undefined ? own.seen : lastSeen(session.run)(subject) };
    const { kind, creates, write } = subject;
    const { written, read } = entitiesOf(subject, context);
    const shown = creates === true ? shownBy(context.row) : kind && look(kind, () => read);
    const looks = kind === undefined || shown === undefined ? [] : [shown];
    // No operation can restore these entities. Read after each step, to see which one had an effect.
    const isShownAlone = write === null && kind !== undefined;
    const rest = read.filter(id => id !== steps.at(-1)?.on);
    const last = isShownAlone ? (rest.length === 0 ? [] : [look(kind, () => rest)]) : looks;
    const isKnown = creates === true || written.every(id => care.seen.has(id));
    const first = isKnown ? [] : [...overwriting(subject, context, written).map(one => taken(one, subject)), ...looks];
    let isSeen = first.length > 0;
    const sent = [...steps, { does: 'read' } as const].flatMap((step): readonly Step[] => {
      if (step.does === 'read') {
        const again = isSeen ? [] : last;
        isSeen = true;
        return again;
      }
      isSeen = false;
      const after = isShownAlone ? [look(kind, () => [step.on])] : [];
      return [taken(step, subject), ...after];
    });
    return stimulus(requirementsOf(subject), ...first, ...sent)(context, session, care);
  };
