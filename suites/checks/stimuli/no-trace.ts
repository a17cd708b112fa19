import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { steps as stepsOf } from '../../../contracts/pointer.ts';
import type { RejectCase } from '../../generators/index.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { mustRefuse } from '../active/body.ts';
import { createRecheck } from '../active/controls.ts';
import { createsForGood } from '../active/dry-run.ts';
import { ruleBreaches } from '../active/field-rules.ts';
import { wouldChangeAll } from '../scenarios/changes.ts';
import { canBePutBack } from '../scenarios/parts.ts';
import { type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { takenNames } from './refused-name.ts';
import { shownBefore, shownBy } from './shown.ts';
import { type Step, stimulus } from './stimulus.ts';

/** A request that must be refused: broken in one field, or cut off before its end. */
export interface Broken {
  readonly body: JsonObject | undefined;
  readonly control: JsonObject | undefined;
  /** The field with the fault. */
  readonly own?: string | undefined;
  readonly isCut?: true;
  /** Several fields break a rule together, which a service may check only when it has stored others. */
  readonly isLate?: true;
}

/**
 * Returns one breach per field and kind of constraint, of those that must be refused, one of a rule about several
 * fields, if there is any, in place of the last closed set, and a truncated body.
 */
export function brokenRequests(context: CheckContext): readonly Broken[] {
  const ofField = (one: RejectCase) => ({ ...one, own: stepsOf(one.pointer)[0] });
  const all = [...new Map(mustRefuse(context).map(one => [`${one.pointer} ${one.keyword}`, one])).values()];
  const late = ruleBreaches(context)
    .filter(one => canBePutBack(one, context))
    .slice(0, 1)
    .map(one => ({ ...ofField(one), isLate: true }) as const);
  const lastSet = late.length > 0 ? all.findLast(({ keyword }) => keyword === 'enum') : undefined;
  const { body } = context.minimal;
  const cut = { body, control: body, isCut: true } as const;
  return [...all.filter(one => one !== lastSet).map(ofField), ...late, cut];
}

/** Sends broken requests with valid changes of other fields; then, after circumstantial refusals, their controls. */
function refusedWrites(broken: readonly Broken[]): readonly [send: Step, recheck: Step] {
  const refusals: (readonly [answer: Answer, control: JsonObject | undefined])[] = [];
  return [
    async ({ context, session, seen }) => {
      refusals.length = 0;
      for (const { body, control, own: field, isCut } of broken) {
        const changed = wouldChangeAll(context, session, seen.get(context.minimal.param ?? '') ?? {}, body, field);
        const { body: _, ...rest } = minimalApiRequest(context);
        const sent = isCut === true ? { raw: JSON.stringify(changed).slice(0, -1) } : { body: changed };
        const answer = await unlessWithheld(session.send({ ...rest, ...sent }));
        if (answer !== null) refusals.push([answer, control]);
      }
      return undefined;
    },
    // A plan, a lock or a quota may have refused it before its fault. Controls are carried out, so they come last.
    async ({ context, session }) => {
      const recheck = createRecheck(createsForGood(context) ? 1 : undefined);
      const reasons: string[] = [];
      for (const [answer, control] of refusals) {
        const lost = await recheck(answer, () => session.send(minimalApiRequest(context, control)));
        if (lost !== null) reasons.push(lost);
      }
      const [because] = reasons;
      return because === undefined || reasons.length < refusals.length ? undefined : { because };
    },
  ];
}

/** Sends broken requests between two readings of the entity. */
export function between({ row }: CheckContext, broken: readonly Broken[]): NamedScenario['run'] {
  const shown = shownBy(row);
  const [send, recheck] = refusedWrites(broken);
  return stimulus(['reject.no-trace'], ...shownBefore(row), send, ...(shown === undefined ? [] : [shown]), recheck);
}

/** Section 4: a refused write changes nothing: a fault in one field also keeps valid changes of others from storage. */
export const noTrace: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'no-trace',
  level: 'MUST',
  title: 'A refused write leaves no trace',
  detects:
    'A handler that stores field by field and stops at the first fault; a validation after the write; a name that is taken before the creation is checked.',
  requirements: row => ['reject.no-trace', ...(createsForGood({ row }) ? ['state.dry-run-metric' as const] : [])],
  appliesTo: row =>
    row.body !== null &&
    shownBy(row) !== undefined &&
    !isOperation(row, 'experiment', 'update') &&
    row.oneShot !== true,
  plan(context) {
    const run = between(context, brokenRequests(context));
    const refused = { title: 'broken requests beside valid changes, then the whole entity', run };
    const again = { title: 'a creation under a name that was refused and tried before', run: takenNames };
    const isCreating = createsForGood(context) && context.amounts.creations > 1;
    return isCreating ? planOf(context, refused, again) : planOf(context, refused);
  },
};
