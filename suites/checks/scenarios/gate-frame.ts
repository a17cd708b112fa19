import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type AcceptCase, acceptCases } from '../../generators/index.ts';
import { compareEcho, isWrongState } from '../../judge/echo.ts';
import { inWords } from '../../judge/words.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import type { Violation } from '../../protocol/violation.ts';
import { differenceInWords, differencesOf, volatile } from '../../state/difference.ts';
import { createEventually } from '../../state/eventually.ts';
import { readGate, readSettledGate } from '../../state/reading.ts';

/** What may follow from a sent field without being it: their transitions, or their rendering, are not shown. */
const follows: readonly string[] = ['status', 'typeReason', ...volatile];

/** Sent as one member and answered as another. */
const answeredAs: Readonly<Record<string, readonly string[]>> = {
  teamID: ['teamID', 'team'],
  team: ['team', 'teamID'],
  creatorID: ['creatorID', 'creatorName', 'creatorEmail'],
  creatorEmail: ['creatorEmail', 'creatorName', 'creatorID'],
  isEnabled: ['isEnabled'],
};

/** The members of a gate that a body may change. */
const mayChange = (body: JsonObject): string[] => Object.keys(body).flatMap(field => answeredAs[field] ?? [field]);

const unreadable = unproved('the gate could not be read back: the empty patch is refused');

/** Patches a gate and compares the whole gate before and after: every sent field has changed, and no other. */
export async function patchAndCompare(
  context: CheckContext,
  session: Session,
  body: JsonObject,
  eventually = createEventually(0),
): Promise<CheckResult> {
  const id = context.minimal.param ?? '';
  const before = (await readSettledGate(session, id, eventually)).entity;
  if (before === null) return unreadable;
  const patched = await session.send(minimalApiRequest(context, body));
  if (!patched.success) return unproved(`the patch was refused (status ${patched.status})`);
  const sentWrong = (after: Readonly<Record<string, unknown>>) =>
    Object.entries(body)
      .filter(([field]) => Object.hasOwn(after, field) || Object.hasOwn(before, field))
      .flatMap(([field, value]) =>
        compareEcho(value, after[field], context.row.body?.properties?.[field], `/data/${field}`),
      )
      .filter(isWrongState);
  const changed = (after: Readonly<Record<string, unknown>>) =>
    differencesOf('patch-gate', before, after, [...follows, ...mayChange(body)]);
  const reading = await eventually(
    () => readGate(session, id),
    ({ entity }) => entity === null || (sentWrong(entity).length === 0 && changed(entity).length === 0),
  );
  const after = reading.entity;
  if (after === null) return unreadable;
  const violations: Violation[] = [
    ...changed(after).map(difference => ({
      requirement: 'state.patch-only-sent' as const,
      pointer: `/data/${difference.field}`,
      expected: `${difference.field} as it was, for it was not sent: ${inWords(difference.before)}`,
      actual: differenceInWords(difference),
      answer: patched,
    })),
    ...sentWrong(after).map(mismatch => ({
      requirement: 'state.patch-every-sent' as const,
      pointer: mismatch.pointer,
      expected: `${inWords(mismatch.sent)}, when the gate is read afterwards`,
      actual: inWords(mismatch.got),
      answer: reading.answer,
    })),
  ];
  return { violations, proved: true };
}

/** Section 4.6: a patch changes every field that it carries and only those. The empty patch changes nothing and shows the gate. */
export const gateFrame: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'frame',
  level: 'MUST',
  title: 'A patch changes every field it carries, and no other',
  detects:
    'A partial update that resets what it does not carry, a field that is answered but not stored, two fields that move together.',
  requirements: () => ['state.patch-only-sent', 'state.patch-every-sent', 'state.patch-empty-reads'],
  appliesTo: row => isOperation(row, 'gate', 'patch'),
  plan(context) {
    const { cases } = acceptCases(context.row.body ?? { type: 'object' }, {}, context.target);
    const example = cases.filter(
      ({ pointer, level, keyword }) => level === 'MUST' && keyword !== 'null' && pointer.split('/').length === 2,
    );
    // Two values of each field: one of them is not what the gate has already.
    const first = new Map([...example].reverse().map(one => [one.pointer, one]));
    const last = new Map(example.map(one => [one.pointer, one]));
    const perField = [...new Set([...first.keys()].flatMap(at => [first.get(at), last.get(at)]))].flatMap(
      one => one ?? [],
    );
    const empty: AcceptCase = {
      title: 'the empty patch',
      pointer: '',
      value: {},
      body: {},
      level: 'MUST',
      keyword: 'template',
    };
    const eventually = createEventually(context.settleMs);
    return {
      cases: [empty, ...perField],
      parallel: false,
      // A field that was reset by the first patch is not reset again by the second.
      leavesMarks: true,
      describe: ({ title, pointer, value }) => ({ title, pointer, sent: value }),
      async run(input, session) {
        if (input.pointer !== '') return patchAndCompare(context, session, input.body, eventually);
        const answer = await session.send(minimalApiRequest(context, {}));
        if (!answer.success) {
          const actual = `status ${answer.status}`;
          return {
            violations: [
              {
                requirement: 'state.patch-empty-reads',
                pointer: 'status',
                expected: 'a success that shows the gate',
                actual,
                answer,
              },
            ],
            proved: true,
          };
        }
        return patchAndCompare(context, session, {}, eventually);
      },
    };
  },
};
