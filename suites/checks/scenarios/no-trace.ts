import { type RejectCase, rejectCases } from '../../generators/index.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import { traceOf, withMark } from '../../state/trace.ts';

/** A case, numbered so that each has a mark of its own. */
interface Marked {
  readonly index: number;
  readonly broken: RejectCase;
}

/** One violation per field, of those that must be refused and leave the marked field to us. */
function onePerField(context: CheckContext, field: string): readonly RejectCase[] {
  const { row, minimal, target } = context;
  if (row.body === null) return [];
  const must = rejectCases(row.body, minimal.body ?? {}, target).cases.filter(
    ({ level, pointer }) => level === 'MUST' && pointer !== `/${field}`,
  );
  return [...new Map(must.map(one => [`${one.pointer} ${one.keyword}`, one])).values()];
}

async function refuse(input: Marked, context: CheckContext, session: Session): Promise<CheckResult> {
  const trace = traceOf(context.row);
  if (trace === undefined) return unproved('nothing of this can be read back');
  const mark = `conform_${context.token}_trace_${input.index}`;
  const answer = await session.send(minimalApiRequest(context, withMark(input.broken.body, trace, mark)));
  if (answer.success) return unproved('the broken request was accepted, which another check reports');
  const found = await trace.find(context, session, mark);
  if (found === null) return { violations: [], proved: true };
  return {
    violations: [
      {
        requirement: 'reject.no-trace',
        pointer: trace.pointer,
        expected: `nothing of the refused request (status ${answer.status})`,
        actual: `its ${trace.field}, ${JSON.stringify(mark)}, was stored`,
        answer: found,
      },
    ],
    proved: true,
  };
}

/** A refused write changes nothing: the fault in one field keeps the valid change of another from being stored. */
export const noTrace: ActiveCheck<Marked> = {
  kind: 'active',
  id: 'no-trace',
  level: 'MUST',
  title: 'A refused write leaves no trace',
  detects: 'A handler that stores field by field and stops at the first fault; a validation after the write.',
  requirements: () => ['reject.no-trace'],
  appliesTo: row => traceOf(row) !== undefined,
  plan(context) {
    const trace = traceOf(context.row);
    if (trace === undefined) return { because: 'nothing of this can be read back' };
    return {
      cases: onePerField(context, trace.field).map((broken, index) => ({ index, broken })),
      // Each creation has a name of its own, so that they cannot be taken for one another; of one entity there is one description.
      parallel: context.row.effect === 'additive',
      describe: ({ broken }) => ({
        title: `${broken.title}, beside a valid ${trace.field}`,
        pointer: broken.pointer,
        sent: broken.sent,
        control: broken.controlValue,
      }),
      run: (input, session) => refuse(input, context, session),
    };
  },
};
