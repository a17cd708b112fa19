import { isOperation } from '../../../contracts/endpoint.ts';
import { inWords } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
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

type Step = 'an enabled gate' | 'a disabled gate' | 'a gate that does not exist';

/** Its transitions are not shown: the sample's Launched is no evidence. */
const follows = ['isEnabled', 'status', 'typeReason', ...volatile];

async function disable(
  context: CheckContext,
  session: Session,
  enabled: boolean,
  eventually: ReturnType<typeof createEventually>,
): Promise<CheckResult> {
  const id = context.minimal.param ?? '';
  // A gate with something to lose; a target that refuses that much at once is given what matters alone.
  const full = { isEnabled: enabled, tags: ['conform'], type: 'TEMPORARY', description: 'Set by a conformance run' };
  const primed = await session.send({ endpoint: 'patch-gate', param: id, body: full });
  const set = primed.success
    ? primed
    : await session.send({ endpoint: 'patch-gate', param: id, body: { isEnabled: enabled } });
  if (!set.success)
    return unproved(`the gate could not be ${enabled ? 'enabled' : 'disabled'} first (status ${set.status})`);
  const before = (await readSettledGate(session, id, eventually)).entity;
  if (before === null) return unproved('the gate could not be read back');
  const answer = await session.send(minimalApiRequest(context));
  if (!answer.success) {
    if (enabled) return unproved(`disabling was refused (status ${answer.status}), which the acceptance check reports`);
    const actual = `status ${answer.status}`;
    return {
      violations: [
        {
          requirement: 'state.disable-gate-idempotent',
          pointer: 'status',
          expected: 'a success, as the first time',
          actual,
          answer,
        },
      ],
      proved: true,
    };
  }
  const violations: Violation[] = [];
  const shown = dataObject(answer).isEnabled;
  // Anything but a boolean is the schema check's finding.
  if (shown === true) {
    violations.push({
      requirement: 'state.disable-gate-false',
      pointer: '/data/isEnabled',
      expected: 'false',
      actual: inWords(shown),
      answer,
    });
  }
  const changed = (after: Readonly<Record<string, unknown>>) => differencesOf('patch-gate', before, after, follows);
  const reading = await eventually(
    () => readGate(session, id),
    ({ entity }) => entity === null || (entity.isEnabled !== true && changed(entity).length === 0),
  );
  if (reading.entity === null) return unproved('the gate could not be read back');
  if (reading.entity.isEnabled === true) {
    violations.push({
      requirement: 'state.disable-gate-false',
      pointer: '/data/isEnabled',
      expected: 'false, when the gate is read afterwards',
      actual: inWords(reading.entity.isEnabled),
      answer: reading.answer,
    });
  }
  for (const difference of changed(reading.entity)) {
    violations.push({
      requirement: enabled ? 'state.disable-gate-frame' : 'state.disable-gate-idempotent',
      pointer: `/data/${difference.field}`,
      expected: `${difference.field} as it was: ${inWords(difference.before)}`,
      actual: differenceInWords(difference),
      answer: reading.answer,
    });
  }
  return { violations, proved: true };
}

/** Sections 3 and 4.7: disabling a gate makes `isEnabled` false, changes nothing else, and can be done twice. */
export const gateDisable: ActiveCheck<Step> = {
  kind: 'active',
  id: 'disables',
  level: 'MUST',
  title: 'Disabling makes isEnabled false, leaves the other settings alone, and can be repeated',
  detects: 'A disable that toggles, that is answered but not stored, that clears the rules, or that invents a gate.',
  requirements: () => [
    'state.disable-gate-false',
    'state.disable-gate-frame',
    'state.disable-gate-idempotent',
    'state.disable-unknown-gate',
  ],
  appliesTo: row => isOperation(row, 'gate', 'disable'),
  plan(context) {
    const eventually = createEventually(context.settleMs);
    return {
      cases: ['an enabled gate', 'a disabled gate', 'a gate that does not exist'],
      parallel: false,
      describe: step => ({ title: `disabling ${step}`, pointer: '' }),
      async run(step, session) {
        if (step !== 'a gate that does not exist')
          return disable(context, session, step === 'an enabled gate', eventually);
        const answer = await session.send({ endpoint: 'disable-gate', param: `conform-${context.token}-none` });
        if (!answer.success) return { violations: [], proved: true };
        const actual = `status ${answer.status}`;
        return {
          violations: [
            { requirement: 'state.disable-unknown-gate', pointer: 'status', expected: 'no success', actual, answer },
          ],
          proved: true,
        };
      },
    };
  },
};
