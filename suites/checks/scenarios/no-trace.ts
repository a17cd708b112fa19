import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type RejectCase, rejectCases } from '../../generators/index.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  minimalApiRequest,
  passed,
  unproved,
  violated,
} from '../../protocol/check.ts';
import { type Trace, traceOf, withMark } from '../../state/trace.ts';
import { createsForGood } from '../active/dry-run.ts';
import { createRecheck } from '../active/recheck.ts';

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

/** Sends a broken request whose other fields carry a mark, and looks for the mark. */
const refusal = (context: CheckContext, trace: Trace): CheckPlan<Marked>['run'] => {
  const recheck = createRecheck(createsForGood(context) ? 1 : undefined);
  return async ({ broken, index }, session) => {
    const mark = `conform_${context.token}_trace_${index}`;
    const answer = await session.send(minimalApiRequest(context, withMark(broken.body, trace, mark)));
    if (answer.success) return unproved('the broken request was accepted, which another check reports');
    const found = await trace.find(context, session, mark);
    if (found === null) {
      // Refused by a plan, a lock or a quota, it never came to the fault.
      const lost = await recheck(answer, () => session.send(minimalApiRequest(context, broken.control)));
      return lost === null ? passed : unproved(lost);
    }
    const expected = `nothing of the refused request (status ${answer.status})`;
    const actual = `its ${trace.field}, ${JSON.stringify(mark)}, was stored`;
    return violated(found, 'reject.no-trace', trace.pointer, expected, actual);
  };
};

/** Section 4: a refused write changes nothing: the fault in one field keeps a valid change of another from storage. */
export const noTrace: ActiveCheck<Marked> = {
  kind: 'active',
  id: 'no-trace',
  level: 'MUST',
  title: 'A refused write leaves no trace',
  detects: 'A handler that stores field by field and stops at the first fault; a validation after the write.',
  requirements: () => ['reject.no-trace'],
  appliesTo: row => row.body !== null && traceOf(row) !== undefined,
  plan(context) {
    const { row } = context;
    const trace = traceOf(row);
    if (trace === undefined || row.body === null || trace.field === null)
      return { because: 'nothing of this can be read back' };
    return {
      cases: onePerField(context, row.body, trace.field).map((broken, index) => ({ index, broken })),
      // Each creation has a name of its own; of one entity there is one description.
      parallel: row.effect === 'additive',
      describe: ({ broken }) => ({
        title: `${broken.title}, beside a valid ${trace.field}`,
        pointer: broken.pointer,
        sent: broken.sent,
        control: broken.controlValue,
      }),
      run: refusal(context, trace),
    };
  },
};
