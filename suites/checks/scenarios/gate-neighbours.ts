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
import { fixtureNames } from '../../sut/target.ts';
import { prepare } from '../active/prepare.ts';

/** So many writes are in flight at once, or as many as there are gates. */
const atOnce = 8;

async function neighbours(context: CheckContext, session: Session, other: string): Promise<CheckResult> {
  // An enabled neighbour: one that is disabled already would show nothing of a write that disables all.
  await session.send({ endpoint: 'patch-gate', param: other, body: { isEnabled: true } });
  const before = (await readSettledGate(session, other, createEventually(context.settleMs))).entity;
  if (before === null) return unproved(`the gate ${other} could not be read`);
  const body =
    context.row.body === null
      ? undefined
      : { description: `conform ${context.token} neighbours`, tags: [`conform-${context.token}`] };
  await prepare(context, session);
  const answer = await session.send(minimalApiRequest(context, body));
  if (!answer.success) return unproved(`the write was refused (status ${answer.status})`);
  const after = await readGate(session, other);
  if (after.entity === null) return unproved(`the gate ${other} could not be read`);
  const violations = differencesOf('patch-gate', before, after.entity, volatile).map(
    (difference): Violation => ({
      requirement: 'state.neighbours',
      pointer: `/data/${difference.field}`,
      expected: `the gate ${other} as it was, for another was written`,
      actual: differenceInWords(difference),
      answer: after.answer,
    }),
  );
  return { violations, proved: true };
}

async function concurrently(context: CheckContext, session: Session, gates: readonly string[]): Promise<CheckResult> {
  const eventually = createEventually(context.settleMs);
  const marks = gates
    .slice(0, atOnce)
    .map((gate, index) => ({ gate, description: `conform ${context.token} at once ${index}` }));
  const answers = await Promise.all(
    marks.map(({ gate, description }) => session.send({ endpoint: 'patch-gate', param: gate, body: { description } })),
  );
  if (answers.every(answer => !answer.success)) return unproved('every one of the writes was refused');
  const violations: Violation[] = [];
  for (const [index, { gate, description }] of marks.entries()) {
    // What came back at once is the echo check's and the identity check's business; here it is what stayed.
    if (answers[index]?.success !== true) continue;
    const { entity, answer } = await eventually(
      () => readGate(session, gate),
      reading =>
        reading.entity === null ||
        reading.entity.description === undefined ||
        reading.entity.description === description,
    );
    if (entity === null || entity.description === undefined || entity.description === description) continue;
    violations.push({
      requirement: 'state.concurrent-answers',
      pointer: '/data/description',
      expected: `${JSON.stringify(description)} at the gate ${gate}, as one of ${marks.length} writes at once`,
      actual: JSON.stringify(entity.description ?? null),
      answer,
    });
  }
  return { violations, proved: true };
}

/** Section 4: a write to one gate leaves the others alone, and of several writes at once none is lost or mixed up with another. */
export const gateNeighbours: ActiveCheck<string> = {
  kind: 'active',
  id: 'neighbours',
  level: 'MUST',
  title: 'A write to one gate leaves the others alone, and writes at once to several are neither lost nor mixed up',
  detects:
    'A write without its condition, a request context shared between requests, an update lost between reading and writing.',
  requirements: () => ['state.neighbours', 'state.concurrent-answers'],
  appliesTo: row => row.resource === 'gate' && row.effect === 'restorable',
  plan(context) {
    const gates = fixtureNames(context.target, 'gates');
    const others = gates.filter(gate => gate !== context.minimal.param);
    if (others.length === 0) {
      return {
        because: 'the target file names one gate, and this takes two',
        remedy: 'fixtures.gates: ["a_gate", "another_gate"]',
      };
    }
    return {
      cases: ['one', 'at once'],
      parallel: false,
      describe: which => ({
        title:
          which === 'one'
            ? 'a write to another gate'
            : `${Math.min(atOnce, gates.length)} writes at once, each to a gate of its own`,
        pointer: '',
      }),
      run: (which, session) =>
        which === 'one' ? neighbours(context, session, others[0] ?? '') : concurrently(context, session, gates),
    };
  },
};

/** So many creations are in flight at once. */
const creations = 10;

/** Section 4.9 and 4.13: of several creations at once each gets its own answer. */
export const creationsAtOnce: ActiveCheck<'at once'> = {
  kind: 'active',
  id: 'at-once',
  level: 'MUST',
  title: 'Of several creations at once each gets its own answer',
  detects: 'A request context shared between requests: two clients, one answer.',
  requirements: () => ['state.concurrent-answers'],
  appliesTo: row => row.effect === 'additive',
  plan: context => ({
    cases: ['at once'],
    parallel: false,
    describe: () => ({ title: `${creations} creations at once`, pointer: '' }),
    async run(_input, session) {
      const answers = await Promise.all(
        Array.from({ length: creations }, () => session.send(minimalApiRequest(context))),
      );
      const violations = answers.flatMap((answer): Violation[] => {
        const sent = (answer.sent as { name?: unknown } | undefined)?.name;
        const got = (answer.data as { name?: unknown } | null | undefined)?.name;
        if (!answer.success || sent === got || got === undefined) return [];
        return [
          {
            requirement: 'state.concurrent-answers',
            pointer: '/data/name',
            expected: JSON.stringify(sent),
            actual: JSON.stringify(got),
            answer,
          },
        ];
      });
      return answers.some(answer => answer.success)
        ? { violations, proved: true }
        : { violations, proved: false, because: 'every creation was refused' };
    },
  }),
};
