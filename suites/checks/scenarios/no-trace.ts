import type { Endpoint, Resource } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import { type RejectCase, rejectCases } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  violated,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { watchEntity } from '../../state/control.ts';
import { differenceViolations } from '../../state/difference.ts';
import { differencesIn, type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import type { Reading } from '../../state/reading.ts';
import { type Trace, traceOf, withMark } from '../../state/trace.ts';
import { createsForGood } from '../active/dry-run.ts';
import { createRecheck } from '../active/recheck.ts';
import { changeOfAll } from './changes.ts';
import { createCare, liveness } from './scenario.ts';

/** A case, numbered so that each has a mark of its own. */
interface Marked {
  readonly index: number;
  readonly broken: RejectCase;
}

/** One violation per field and kind of constraint, of those that must be refused and leave the marked field to us. */
function onePerField({ minimal, target }: CheckContext, body: NonNullable<Endpoint['body']>, field: string) {
  const must = rejectCases(body, minimal.body ?? {}, target).cases.filter(
    ({ level, pointer }) => level === 'MUST' && pointer !== `/${field}`,
  );
  return [...new Map(must.map(one => [`${one.pointer} ${one.keyword}`, one])).values()];
}

/** Sends a broken creation whose name is a mark, and looks for the mark. */
const refusedCreation = (context: CheckContext, trace: Trace): CheckPlan<Marked>['run'] => {
  const recheck = createRecheck(createsForGood(context) ? 1 : undefined);
  /** The refusal of what was refused before, without its fault; null where it is taken, or where nothing is. */
  const reserved = async (body: JsonObject, session: Session): Promise<Answer | null> => {
    const send = (sent: JsonObject | undefined) =>
      unlessWithheld(session.send({ ...minimalApiRequest(context, sent), spare: true }));
    const again = await send(body);
    if (again === null || !isClientError(again)) return null;
    return (await send(context.minimal.body))?.success === true ? again : null;
  };
  return async ({ broken, index }, session) => {
    const mark = `conform_${context.token}_trace_${index}`;
    const answer = await session.send(minimalApiRequest(context, withMark(broken.body, trace, mark)));
    if (answer.success) return unproved('the broken request was accepted, which another check reports');
    const found = await trace.find(context, session, mark);
    if (found === null) {
      // Refused by a plan, a lock or a quota, it never came to the fault.
      const lost = await recheck(answer, () => session.send(minimalApiRequest(context, broken.control)));
      if (lost === null && index === 0) {
        const kept = await reserved(withMark(broken.control, trace, mark), session);
        const free = `a success: ${JSON.stringify(mark)} was refused for something else, and other names are taken`;
        if (kept !== null) return violated(kept, 'reject.no-trace', 'status', free, refusalInWords(kept));
      }
      return lost === null ? covering([], ['reject.no-trace']) : unproved(lost);
    }
    const expected = `nothing of the refused request (status ${answer.status})`;
    const actual = `its ${trace.field}, ${JSON.stringify(mark)}, was stored`;
    return violated(found, 'reject.no-trace', trace.pointer, expected, actual);
  };
};

/**
 * Sends a broken request that would change every other field of an entity, and compares the whole of it before and
 * after. What is suspected is put back and tried again.
 */
const refusedWrite = (context: CheckContext, kind: EntityKind): CheckPlan<Marked>['run'] => {
  const { minimal, token } = context;
  const id = minimal.param ?? '';
  const recheck = createRecheck(undefined);
  const { eventually, attribute } = createCare(context.settleMs);
  let known: Members | null = null;
  return ({ broken, index }, session) => {
    const read = () => kind.read(context, session, id);
    let before: Members = {};
    return attribute({
      async attempt(round) {
        const first = known === null || round > 0 ? await read() : undefined;
        if (first?.entity === null) return { because: `it could not be read (${refusalInWords(first.answer)})` };
        before = first?.entity ?? known ?? {};
        known = null;
        const mark = `conform_${token}_trace_${index}_${round}`;
        const change = { ...changeOfAll(context, before, Object.keys(broken.body)), description: mark };
        const except = broken.pointer.split('/')[1] === 'description' ? { description: broken.body.description } : {};
        const body = { ...broken.body, ...change, ...except } as JsonObject;
        const answer = await session.send(minimalApiRequest(context, body));
        if (answer.success) return { because: 'the broken request was accepted, which another check reports' };
        const differences = (after: Reading) =>
          after.entity === null ? [] : differencesIn(kind, before, after.entity);
        const after = await eventually(
          read,
          reading => differences(reading).length === 0,
          reading =>
            differences(reading)
              .map(({ field }) => field)
              .join(),
        );
        if (after.entity === null) return { because: 'it could not be read afterwards', answer: after.answer };
        const found = differences(after);
        if (found.length === 0) {
          known = after.entity;
          // Refused by a plan, a lock or a quota, it never came to the fault.
          const lost = await recheck(answer, () => session.send(minimalApiRequest(context, broken.control)));
          if (lost !== null) return { because: lost };
        }
        const shown = `nothing of the refused request (status ${answer.status})`;
        const violations = differenceViolations(found, after.answer, 'reject.no-trace', () => shown, kind.at);
        return {
          covers: ['reject.no-trace'],
          suspicions: violations.map((violation, at) => ({
            key: found[at]?.field ?? '',
            violation,
            certain: found[at]?.after === mark,
          })),
        };
      },
      watch: readings => watchEntity(kind.row, read, readings),
      putBack: async () => (await kind.putBack?.(session, id, before, eventually)) ?? false,
    });
  };
};

/** Section 4: a refused write changes nothing: the fault in one field keeps valid changes of the others from storage. */
export const noTrace: ActiveCheck<Marked> = {
  kind: 'active',
  id: 'no-trace',
  level: 'MUST',
  title: 'A refused write leaves no trace',
  detects: 'A handler that stores field by field and stops at the first fault; a validation after the write.',
  requirements: () => ['reject.no-trace', ...liveness],
  appliesTo: row => row.body !== null && traceOf(row) !== undefined,
  plan(context) {
    const { row } = context;
    const trace = traceOf(row);
    if (trace === undefined || row.body === null || trace.field === null)
      return { because: 'nothing of this can be read back' };
    const kind: EntityKind | undefined = (entityKinds as Partial<Record<Resource, EntityKind>>)[row.resource];
    return {
      cases: onePerField(context, row.body, kind === undefined ? trace.field : '').map((broken, index) => ({
        index,
        broken,
      })),
      // Each creation has a name of its own; of one entity there is one state.
      parallel: row.effect === 'additive',
      describe: ({ broken }) => ({
        title: `${broken.title}, beside ${kind === undefined ? `a valid ${trace.field}` : 'valid changes of all else'}`,
        pointer: broken.pointer,
        sent: broken.sent,
        control: broken.controlValue,
      }),
      run: kind === undefined ? refusedCreation(context, trace) : refusedWrite(context, kind),
    };
  },
};
