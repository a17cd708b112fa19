import { type ActiveCheck, covering, judged, unproved, type Violation, violation } from '../../protocol/check.ts';
import { areComparable, differencesOf, differenceViolations, volatile } from '../../state/difference.ts';
import { createEventually } from '../../state/eventually.ts';
import { readGate, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { sendPrepared } from '../active/prepare.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many writes are in flight at once, or as many as there are gates. */
const atOnce = 8;

/** A write to the gate of the endpoint leaves another alone. */
const writeBeside =
  (other: string): Scenario =>
  async (context, session) => {
    // An enabled neighbour: one that is disabled already would show nothing of a write that disables all.
    await session.send({ endpoint: 'patch-gate', param: other, body: { isEnabled: true } });
    const before = (await readSettledGate(session, other, createEventually(context.settleMs))).entity;
    if (before === null) return unproved(`the gate ${other} could not be read`);
    const body = { description: `conform ${context.token} neighbours`, tags: [`conform-${context.token}`] };
    const answer = await sendPrepared(context, session, context.row.body === null ? undefined : body);
    if (!answer.success) return unproved(`the write was refused (status ${answer.status})`);
    const after = await readGate(session, other);
    if (after.entity === null) return unproved(`the gate ${other} could not be read`);
    const differences = differencesOf(context.row, before, after.entity, volatile);
    const expected = () => `the gate ${other} as it was, for another was written`;
    const wrong = differenceViolations(differences, after.answer, 'state.neighbours', expected);
    if (!areComparable(context.row, before, after.entity, volatile))
      return wrong.length > 0 ? judged(wrong) : unproved(`the gate ${other} shows no setting`);
    return covering(wrong, ['state.neighbours']);
  };

/** Of writes at once to several gates each is stored in its own. */
const writeAtOnce =
  (gates: readonly string[]): Scenario =>
  async ({ token, settleMs }, session) => {
    const eventually = createEventually(settleMs);
    const marks = gates.map((gate, index) => ({ gate, description: `conform ${token} at once ${index}` }));
    const answers = await Promise.all(
      marks.map(({ gate, description }) =>
        session.send({ endpoint: 'patch-gate', param: gate, body: { description } }),
      ),
    );
    if (answers.every(({ success }) => !success)) return unproved('every one of the writes was refused');
    const wrong: Violation[] = [];
    let stayed = 0;
    for (const [index, { gate, description }] of marks.entries()) {
      // What came back at once is judged by the checks of echo and identity; here it is what stayed.
      if (answers[index]?.success !== true) continue;
      const { entity, answer } = await eventually(
        () => readGate(session, gate),
        reading => reading.entity?.description === undefined || reading.entity.description === description,
      );
      const stored = entity?.description;
      if (stored === description) stayed += 1;
      if (stored === undefined || stored === description) continue;
      const expected = `${JSON.stringify(description)} at the gate ${gate}, as one of ${marks.length} writes at once`;
      const actual = JSON.stringify(stored);
      wrong.push(violation(answer, 'state.concurrent-answers', '/data/description', expected, actual));
    }
    if (wrong.length === 0 && stayed < 2) return unproved('no two of the gates show their description');
    return covering(wrong, ['state.concurrent-answers']);
  };

/** Section 4: a write to one gate leaves the others alone, and of writes at once none is lost or mixed up. */
export const neighbours: ActiveCheck<NamedScenario> = {
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
    const other = gates.find(gate => gate !== context.minimal.param);
    if (other === undefined) {
      return {
        because: 'the target file names one gate, and this takes two',
        remedy: 'fixtures.gates: ["a_gate", "another_gate"]',
      };
    }
    const several = gates.slice(0, atOnce);
    return planOf([
      { title: 'a write to another gate', run: writeBeside(other) },
      { title: `${several.length} writes at once, each to a gate of its own`, run: writeAtOnce(several) },
    ])(context);
  },
};
