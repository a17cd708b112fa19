import { type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { dataObject, isDryRun, isSilence } from '../../protocol/answer.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import type { Said } from '../../protocol/fault.ts';
import type { Untried } from '../../state/attribution.ts';
import { areComparable } from '../../state/difference.ts';
import { type Observation, observe, observeSettled } from '../../state/entity-kinds.ts';
import { afterWrite, asRead, type Deviation, deviationsOf, type Expected, mayChange } from '../../state/expected.ts';
import { lineageOf } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import type { Care } from './scenario.ts';
import type { Done, Found } from './sequence-blame.ts';
import { type Known, sendStep } from './sequence-requests.ts';
import { hasNoEffect, type Step } from './sequence-steps.ts';
import { entitiesOf, type SequenceSubject } from './sequence-subjects.ts';

/** What a walk came to: everything that was otherwise than expected when it was first seen so, or why it ended. */
export type Walked =
  | {
      readonly found: readonly Found[];
      readonly all: readonly Done[];
      /** The steps since all was as expected. */
      readonly since: readonly Done[];
      readonly covers: ReadonlySet<RequirementId>;
    }
  | Untried;

const nothingKnown: Expected = { known: {}, sent: {}, isOpen: true };

/** Something was created by a request that must create nothing, or is gone. */
const asWhole = (field: string, before: unknown, after: unknown, expected: Said): Deviation => ({
  field,
  pointer: '/data',
  before,
  after,
  expected,
  isSent: false,
});

/** Takes steps one after another, reads where they say so and at the end (with `each`, after every step), and compares. */
export async function walk(
  steps: readonly Step[],
  subject: SequenceSubject,
  context: CheckContext,
  session: Session,
  { eventually }: Care,
  known: Known,
  each: boolean,
): Promise<Walked> {
  const { kind, creates, replaces = false } = subject;
  const { target } = context;
  const { read } = entitiesOf(subject, context);
  const fixtures = kind === undefined ? [] : fixtureNames(target, kind.fixtures);
  const all: Done[] = [];
  let since: Done[] = [];
  const covers = new Set<RequirementId>();

  /** What an accepted write makes of what is expected. */
  function note({ step, answer }: Done): void {
    const { on, does, endpoint } = step;
    const before = known.expected.get(on) ?? nothingKnown;
    if (!answer.success || does === 'enable' || does === 'dry' || isDryRun(answer)) return;
    if (hasNoEffect(step)) {
      // Another check reports that it was taken; what came of it is read. What it created is none of the entities here.
      if (creates !== true) known.expected.set(on, nothingKnown);
      return;
    }
    if (kind === undefined) return;
    const sent = endpoint === 'disable-gate' ? { isEnabled: false } : (membersOf(answer.sent) as JsonObject);
    if (creates !== true) return void known.expected.set(on, afterWrite(before, sent, replaces));
    const { id, lineage } = dataObject(answer);
    const isListed = lineageOf({ lineage }).events.includes(target.fixtures.events?.[0] ?? '');
    if (typeof id === 'string' && isListed) known.expected.set(id, { ...nothingKnown, sent });
  }

  /** What must change nothing and was not taken all the same. */
  const harmed = (): readonly Done[] =>
    all.filter(({ step, answer }) => hasNoEffect(step) && (step.does === 'dry' || !answer.success));

  function compare(seen: Observation): readonly Found[] {
    const found: Found[] = [];
    for (const [id, expected] of known.expected) {
      const entity = seen.entities.get(id);
      const answer = seen.answerFor(id);
      if (answer === undefined) continue;
      const isGone = entity === undefined && seen.isWhole;
      if (isGone)
        found.push({
          id,
          answer,
          deviation: asWhole('id', id, undefined, { words: `${id}, as it was`, kind: 'changed' }),
        });
      if (entity === undefined || kind === undefined) continue;
      found.push(...deviationsOf(kind, expected, entity).map(deviation => ({ id, answer, deviation })));
    }
    const marks = creates === true ? harmed().flatMap(done => done.marks) : [];
    for (const [id, entity] of creates === true ? seen.entities : []) {
      const answer = seen.answerFor(id);
      if (answer === undefined || known.expected.has(id)) continue;
      const text = JSON.stringify(entity);
      if (!marks.some(mark => text.includes(mark))) continue;
      const expected: Said = { words: 'nothing of what was refused, or only tried', kind: 'present' };
      found.push({ id, answer, deviation: asWhole('name', undefined, entity, expected) });
    }
    return found;
  }

  /** What a reading that was as expected could have shown to be otherwise. */
  function cover(id: string, { known: before, sent, isOpen }: Expected, entity: Members): void {
    if (kind === undefined) return;
    const own = since.filter(({ step }) => step.on === id || creates === true);
    const isShown = Object.keys(sent).some(field => entity[field] !== undefined);
    if (isShown && subject.sent !== undefined) covers.add(subject.sent);
    if (isOpen || !areComparable(kind.row, before, entity, [...kind.leaveOut, ...mayChange(sent)])) return;
    for (const { step, answer, marks } of own) {
      // An operation that works once is accepted last of all, and what it would have done has to be visible.
      const isControlled = subject.write === null ? before.isEnabled === true : known.accepted.has(step.endpoint);
      const isMarked = marks.length > 0 || subject.write === null;
      if (step.does === 'refused' && !answer.success && isControlled && isMarked) covers.add('reject.no-trace');
      if (step.does === 'unauthenticated' && !answer.success && isControlled) covers.add('auth.no-effect');
      if (step.does === 'dry' && answer.success && marks.length > 0 && subject.dry !== undefined)
        covers.add(subject.dry);
      if (hasNoEffect(step) || !answer.success || creates === true) continue;
      if (step.endpoint === 'disable-gate' && before.isEnabled === true) {
        covers.add('state.disable-gate-frame');
        if (sent.isEnabled === false && entity.isEnabled === false) covers.add('state.disable-gate-false');
      }
      if (step.does === 'enable') covers.add('state.enable-groups-frame');
      else if (step.endpoint !== 'disable-gate' && subject.frame !== undefined && isShown) covers.add(subject.frame);
    }
    const besides = since.some(({ step, answer }) => !hasNoEffect(step) && answer.success && step.on !== id);
    if (besides && read.length > 0) covers.add('state.neighbours');
  }

  /** An answer that shows what was created shows nothing of what was refused before. */
  function coverUnread(): void {
    for (const { step, marks } of harmed()) {
      if (marks.length === 0) continue;
      if (step.does === 'refused') covers.add('reject.no-trace');
      if (step.does === 'unauthenticated') covers.add('auth.no-effect');
    }
  }

  async function look(ids: readonly string[] = read): Promise<readonly Found[] | Untried> {
    if (kind === undefined) return [];
    const isFirst = known.expected.size === 0;
    const seen = await eventually(
      () => (isFirst ? observeSettled(kind, context, session, ids, eventually) : observe(kind, context, session, ids)),
      one => compare(one).length === 0,
      one =>
        compare(one)
          .map(({ id, deviation: { field } }) => `${id} ${field}`)
          .join(),
    );
    const [own = ''] = ids;
    if (creates !== true && !seen.entities.has(own))
      return { because: 'it could not be read back', ...(seen.answerFor(own) && { answer: seen.answerFor(own) }) };
    const found = compare(seen);
    if (found.length > 0) return found;
    for (const [id, entity] of seen.entities) {
      const expected = known.expected.get(id);
      if (expected !== undefined) cover(id, expected, entity);
      const isOurs = creates === true || (kind.readAll === undefined ? read.includes(id) : fixtures.includes(id));
      if (isFirst || expected !== undefined || creates === true) if (isOurs) known.expected.set(id, asRead(entity));
    }
    since = [];
    return [];
  }

  const leaks = ({ answer, step }: Done): readonly Found[] => {
    if (!answer.success || hasNoEffect(step)) return [];
    const text = JSON.stringify(answer.data) ?? '';
    const leaking = harmed().find(({ marks }) => marks.some(mark => text.includes(mark)));
    const field = Object.keys(dataObject(answer)).find(name =>
      leaking?.marks.some(mark => JSON.stringify(dataObject(answer)[name])?.includes(mark)),
    );
    if (leaking === undefined || field === undefined) return [];
    const after = dataObject(answer)[field];
    const pointer = `/data/${field}`;
    const deviation = {
      field,
      pointer,
      before: undefined,
      after,
      expected: { words: `no ${field} of another request`, kind: 'trace' } as const,
      isSent: false,
    };
    return [{ id: step.on, answer, deviation }];
  };

  for (const step of [...steps, { ...(steps[0] as Step), does: 'read' } as const]) {
    if (step.does !== 'read') {
      const done = await sendStep(step, subject, context, session, known);
      if (done === null) continue;
      const { answer } = done;
      if (isSilence(answer) || answer.status >= 500) return { because: 'a step brought no answer', answer };
      all.push(done);
      since.push(done);
      if (answer.success && !hasNoEffect(step)) known.accepted.add(step.endpoint);
      note(done);
      const leaked = leaks(done);
      if (leaked.length > 0) return { found: leaked, all, since, covers };
      if (kind === undefined && answer.success && !hasNoEffect(step)) coverUnread();
    }
    if (step.does !== 'read' && !each) continue;
    if (since.length === 0 && known.expected.size > 0) continue;
    const isLast = step.does === 'read' || subject.write !== null;
    const found = await look(isLast ? read : [step.on]);
    if ('because' in found) return found;
    if (found.length > 0) return { found, all, since, covers };
  }
  return { found: [], all, since, covers };
}
