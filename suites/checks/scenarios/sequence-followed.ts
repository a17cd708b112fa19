import type { Members } from '../../../contracts/json.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import type { Suspicion, Tried } from '../../state/attribution.ts';
import { differencesIn, observe } from '../../state/entity-kinds.ts';
import type { Care, Scenario } from './scenario.ts';
import { suspicionOfFound } from './sequence-blame.ts';
import type { Known } from './sequence-requests.ts';
import type { Step } from './sequence-steps.ts';
import { contextFor, entitiesOf, type SequenceSubject } from './sequence-subjects.ts';
import { type Walked, walk } from './sequence-walk.ts';

/** What each check knows of its entities. */
const knowledge = new WeakMap<Care, Known>();

/** Updates of the entities that have to be overwritten before anything is known of them. */
function overwriting(
  { write, overwritten }: SequenceSubject,
  context: CheckContext,
  written: readonly string[],
): Step[] {
  if (overwritten !== true || write === null) return [];
  return written.flatMap(on => {
    const body = contextFor(context, write, on)?.minimal.body;
    return body === undefined ? [] : [{ does: 'write', endpoint: write, on, body } satisfies Step];
  });
}

/** Takes steps, and as often again as it takes to tell what they did from what others did meanwhile. */
export const follow =
  (steps: readonly Step[], subject: SequenceSubject): Scenario =>
  (context, session, care) => {
    const { kind, creates } = subject;
    const known: Known = knowledge.get(care) ?? {
      expected: new Map(),
      accepted: new Set(),
      plan: context.endpoint,
    };
    knowledge.set(care, known);
    const { written, read } = entitiesOf(subject, context);
    const reading: Step = { does: 'read', endpoint: context.endpoint, on: written[0] ?? '' };
    /** What the entities were before the first step. */
    let before = new Map<string, Members>();
    const changed = new Set<string>();
    // What is made anew each time, or cannot be put back, is not the same in another try.
    const keyOf = (id: string, field: string): string => (kind?.putBack === undefined ? field : `${id} ${field}`);

    /** Nothing brings an entity back: what is done to it is looked at after each step, and tried again on another. */
    const isSpent = kind !== undefined && kind.putBack === undefined && !subject.overwritten && !creates;
    /** The steps about another entity, where what they did to the first cannot be put back. */
    const spentOn = (turn: number): readonly Step[] | null => {
      if (!isSpent) return steps;
      const other = read[written.length - 1 + turn];
      if (turn === 0) return steps;
      // No other is archived than the one that is named for it, whoever does so.
      const others = steps.filter(({ endpoint }) => endpoint !== context.endpoint);
      return other === undefined || others.length === 0 ? null : others.map(step => ({ ...step, on: other }));
    };

    async function once(turn: number, each: boolean): Promise<Walked> {
      const taken = spentOn(turn);
      if (taken === null) return { because: 'there is no other entity to try it on' };
      const isFresh = known.expected.size === 0;
      const first = isFresh && kind !== undefined ? [...overwriting(subject, context, written), reading] : [];
      if (first.length > 0) {
        const begun = await walk(first, subject, context, session, care, known, false);
        if ('because' in begun || begun.found.length > 0) return begun;
      }
      before = new Map([...known.expected].map(([id, { known: entity }]) => [id, entity]));
      const walked = await walk(taken, subject, context, session, care, known, each);
      if ('because' in walked || walked.found.length > 0) known.expected = new Map();
      return walked;
    }

    const suspicionsOf = (walked: Exclude<Walked, { because: string }>): readonly Suspicion[] =>
      walked.found.flatMap(found => {
        const { id, deviation } = found;
        changed.add(id);
        return suspicionOfFound(found, walked, subject, keyOf(id, deviation.field)) ?? [];
      });

    async function putBack(): Promise<boolean> {
      known.expected = new Map();
      if (kind?.putBack === undefined) return true;
      let isBack = true;
      for (const id of new Set([...written, ...changed])) {
        const entity = before.get(id);
        if (entity !== undefined) isBack = (await kind.putBack(session, id, entity, care.eventually)) && isBack;
      }
      return isBack;
    }

    let turn = 0;
    return care.attribute(session, {
      async attempt(round): Promise<Tried> {
        const quick = kind === undefined || round > 0 ? null : await once(turn, isSpent);
        if (quick !== null && 'because' in quick) return quick;
        if (quick !== null && quick.found.length === 0) {
          const isTaken = quick.all.some(({ answer }) => answer.success) || quick.covers.size > 0;
          return isTaken ? { suspicions: [], covers: [...quick.covers] } : { because: 'every step was refused' };
        }
        const first = quick === null ? [] : suspicionsOf(quick);
        if (isSpent && first.length > 0) {
          turn += 1;
          return { suspicions: first, covers: [] };
        }
        if (first.some(one => one.certain !== true)) await putBack();
        // Read after each step, what did it is told from what was done before it.
        const careful = await once(quick === null && round === 0 ? 0 : turn, true);
        if ('because' in careful) return first.length > 0 ? { suspicions: first, covers: [] } : careful;
        const exact = suspicionsOf(careful);
        const covers = [...(quick?.covers ?? []), ...careful.covers];
        return { suspicions: exact.length > 0 ? exact : first, covers };
      },
      watch: readings => watched(subject, context, session, readings, keyOf),
      putBack,
    });
  };

/** Tells what changes without a write. */
async function watched(
  subject: SequenceSubject,
  context: CheckContext,
  session: Session,
  readings: number,
  keyOf: (id: string, field: string) => string,
): Promise<readonly string[]> {
  const { kind } = subject;
  if (kind === undefined) return [];
  const { read } = entitiesOf(subject, context);
  const moving: string[] = [];
  let last = await observe(kind, context, session, read);
  for (let number = 0; number < readings; number += 1) {
    const next = await observe(kind, context, session, read);
    for (const [id, entity] of last.entities) {
      const now = next.entities.get(id);
      if (now === undefined) moving.push(keyOf(id, 'id'));
      else moving.push(...differencesIn(kind, entity, now).map(({ field }) => keyOf(id, field)));
    }
    last = next;
  }
  return moving;
}
