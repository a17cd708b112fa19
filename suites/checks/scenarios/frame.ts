import { isDeepStrictEqual } from 'node:util';
import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type AcceptCase, acceptCases } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { inWords } from '../../judge/words.ts';
import {
  type ActiveCheck,
  type CheckContext,
  covering,
  minimalApiRequest,
  unproved,
  violated,
  violation,
} from '../../protocol/check.ts';
import { areComparable, differencesOf, differenceViolations, volatile } from '../../state/difference.ts';
import { createEventually } from '../../state/eventually.ts';
import { readGate, readSettledGate } from '../../state/reading.ts';
import type { Scenario } from './scenario.ts';

/** May follow from a sent field without being it: their transitions, or their rendering, are not shown. */
const follows: readonly string[] = ['status', 'typeReason', ...volatile];

/** Sent as one member and answered as another. */
const answeredAs: Readonly<Record<string, readonly string[]>> = {
  teamID: ['teamID', 'team'],
  team: ['team', 'teamID'],
  creatorID: ['creatorID', 'creatorName', 'creatorEmail'],
  creatorEmail: ['creatorEmail', 'creatorName', 'creatorID'],
};

/** The members of a gate that a body may change. */
const mayChange = (body: JsonObject): string[] => Object.keys(body).flatMap(field => answeredAs[field] ?? [field]);

const unreadable = unproved('the gate could not be read back: the empty patch is refused');

/** Patches a gate and compares the whole gate before and after: every sent field has changed, and no other. */
const patchAndCompare =
  (body: JsonObject): Scenario =>
  async (context, session, eventually) => {
    const id = context.minimal.param ?? '';
    const before = (await readSettledGate(session, id, eventually)).entity;
    if (before === null) return unreadable;
    const patched = await session.send(minimalApiRequest(context, body));
    if (!patched.success) return unproved(`the patch was refused (status ${patched.status})`);
    const mismatches = (after: Members) => storedMismatches(body, after, context.row, '/data', { ...before, ...after });
    const changes = (after: Members) => differencesOf(context.row, before, after, [...follows, ...mayChange(body)]);
    const reading = await eventually(
      () => readGate(session, id),
      ({ entity }) => entity === null || (mismatches(entity).length === 0 && changes(entity).length === 0),
    );
    if (reading.entity === null) return unreadable;
    const after = reading.entity;
    const changed = Object.keys(body).some(
      field => after[field] !== undefined && !isDeepStrictEqual(before[field] ?? null, after[field]),
    );
    const isWhole = areComparable(context.row, before, after, [...follows, ...mayChange(body)]);
    // A frame is shown by a write that did something; what had its value before may never have been stored.
    const covers: RequirementId[] = [];
    if (changed) covers.push('state.patch-every-sent');
    if (changed && isWhole) covers.push('state.patch-only-sent');
    if (Object.keys(body).length === 0 && isWhole) covers.push('state.patch-empty-reads');
    return covering(
      [
        ...differenceViolations(
          changes(reading.entity),
          patched,
          'state.patch-only-sent',
          difference => `${difference.field} as it was, for it was not sent: ${inWords(difference.before)}`,
        ),
        ...mismatches(reading.entity).map(({ pointer, sent, got }) => {
          const expected = `${inWords(sent)}, when the gate is read afterwards`;
          return violation(reading.answer, 'state.patch-every-sent', pointer, expected, inWords(got));
        }),
      ],
      covers,
    );
  };

/** The patch that carries nothing. */
const emptyPatch: AcceptCase = {
  title: 'the empty patch',
  pointer: '',
  value: {},
  body: {},
  level: 'MUST',
  keyword: 'template',
};

/** The first and the last value of each field that must be accepted: one of them is not what the gate has already. */
function twoValuesPerField({ row, target }: CheckContext): readonly AcceptCase[] {
  const { cases } = acceptCases(row.body ?? { type: 'object' }, {}, target);
  const whole = cases.filter(
    ({ level, keyword, pointer }) => level === 'MUST' && keyword !== 'null' && pointer.split('/').length === 2,
  );
  const pointers = new Set(whole.map(({ pointer }) => pointer).reverse());
  const valuesOf = (at: string) => whole.filter(({ pointer }) => pointer === at);
  return [...pointers].map(valuesOf).flatMap(all => all.filter((_, index) => index === 0 || index === all.length - 1));
}

/** Section 4.6: a patch changes the fields that it carries and no other. The empty patch changes nothing. */
export const frame: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'frame',
  level: 'MUST',
  title: 'A patch changes every field it carries, and no other',
  detects:
    'A partial update that resets what it does not carry, a field that is answered but not stored, two fields that move together.',
  requirements: () => ['state.patch-only-sent', 'state.patch-every-sent', 'state.patch-empty-reads'],
  appliesTo: row => isOperation(row, 'gate', 'patch'),
  plan(context) {
    const eventually = createEventually(context.settleMs);
    return {
      cases: [emptyPatch, ...twoValuesPerField(context)],
      parallel: false,
      // A field that was reset by the first patch is not reset again by the second.
      leavesMarks: true,
      describe: ({ title, pointer, value }) => ({ title, pointer, sent: value }),
      async run(input, session) {
        if (input === emptyPatch) {
          const answer = await session.send(minimalApiRequest(context, {}));
          const expected = 'a success that shows the gate';
          if (!answer.success)
            return violated(answer, 'state.patch-empty-reads', 'status', expected, `status ${answer.status}`);
        }
        return patchAndCompare(input.body)(context, session, eventually);
      },
    };
  },
};
