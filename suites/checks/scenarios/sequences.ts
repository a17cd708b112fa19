import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck, CheckContext, Session } from '../../protocol/check.ts';
import type { Suspicion, Tried } from '../../state/attribution.ts';
import { differencesIn, observe } from '../../state/entity-kinds.ts';
import { type Care, createCare, liveness, type Scenario } from './scenario.ts';
import { suspicionOfFound } from './sequence-blame.ts';
import type { Known } from './sequence-requests.ts';
import { type Step, sequencesOf, stepInWords } from './sequence-steps.ts';
import { contextFor, entitiesOf, type SequenceSubject, sequenceSubjects } from './sequence-subjects.ts';
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

const follow =
  (steps: readonly Step[], subject: SequenceSubject): Scenario =>
  (context, session, care) => {
    const { kind, creates } = subject;
    const known: Known = knowledge.get(care) ?? { expected: new Map(), accepted: new Set(), marks: 0 };
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
    return care.attribute({
      async attempt(round): Promise<Tried> {
        const quick = round > 0 || kind === undefined ? null : await once(turn, isSpent);
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

const subjectFor = (row: Endpoint): SequenceSubject | undefined =>
  endpointIds.flatMap(id =>
    endpointRow(id).path === row.path && endpointRow(id).method === row.method ? [sequenceSubjects[id]] : [],
  )[0];

/** What the sequences of a subject can show to be broken. */
function requirementsOf({
  kind,
  sent,
  frame,
  dry,
  write,
  others,
  written,
  beside = 0,
}: SequenceSubject): readonly RequirementId[] {
  return [
    ...new Set<RequirementId>([
      ...[sent, frame, dry].flatMap(one => one ?? []),
      ...(others.includes('disable-gate') ? (['state.disable-gate-false', 'state.disable-gate-frame'] as const) : []),
      ...(kind !== undefined && write !== null && (written + beside > 1 || kind.readAll !== undefined)
        ? (['state.neighbours'] as const)
        : []),
      'reject.no-trace',
      'auth.no-effect',
      ...liveness,
    ]),
  ];
}

/** Sections 3 to 5: after any sequence of requests each entity is as the accepted ones have left it. */
export const sequences: ActiveCheck<readonly Step[]> = {
  kind: 'active',
  id: 'sequences',
  // What each entity is after single writes other checks prove: where no sequence can be sent, no endpoint is incomplete.
  level: 'SHOULD',
  title: 'After any sequence of requests every entity is as the accepted ones have left it',
  detects:
    'A field that cannot be changed back, a write that is lost when another follows, a refused, dry or keyless request that takes effect after others.',
  requirements: row => requirementsOf(subjectFor(row) as SequenceSubject),
  appliesTo: row => subjectFor(row) !== undefined,
  draws: 'scenario',
  plan(context) {
    const subject = sequenceSubjects[context.endpoint] as SequenceSubject;
    const care = createCare(context.settleMs);
    // Where nothing is read, each sequence takes a creation.
    if (subject.kind === undefined && context.amounts.creations === 1)
      return { because: 'sent in a larger profile only, as each leaves something that the API cannot take away' };
    const arbitrary = sequencesOf(subject, context);
    if (arbitrary === undefined) return { because: 'nothing may be sent about it' };
    const several = entitiesOf(subject, context).written.length > 1;
    return {
      arbitrary,
      most: context.extended === true ? context.amounts.fuzz : Math.ceil(subject.share * context.amounts.fuzz),
      parallel: false,
      describe: steps => ({
        title: steps.map(step => stepInWords(step, several)).join(', then '),
        pointer: '',
        sent: steps.map(({ body, ...step }) => body ?? stepInWords(step, several)),
      }),
      async run(steps, session) {
        const result = await follow(steps, subject)(context, session, care);
        return context.oneShot ? { ...result, onlyIfAccepted: true } : result;
      },
    };
  },
};
