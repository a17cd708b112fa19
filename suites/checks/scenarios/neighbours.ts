import type { Members } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { isSilence } from '../../protocol/answer.ts';
import { type ActiveCheck, violation } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import type { Suspicion } from '../../state/attribution.ts';
import { putBackGate, watchEntity } from '../../state/control.ts';
import { areComparable, differencesOf, differenceViolations, volatile } from '../../state/difference.ts';
import { type Reading, readGate, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { sendPrepared } from '../active/prepare.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many writes are in flight at once, or as many as there are gates. */
const atOnce = 8;

/** So many writes are sent in a row: what goes wrong now and then does so after one of them. */
const writesInARow = 3;

/** Writes to the gate of the endpoint leave another alone. */
const writeBeside =
  (other: string): Scenario =>
  (context, session, { eventually, attribute }) => {
    const { row, token, discovered } = context;
    const atFirst = discovered.gates?.get(other);
    let before: Members = {};
    return attribute({
      async attempt(round) {
        // What earlier writes did to it already would show no more: it begins as it was before the run.
        if (atFirst !== undefined) await unlessGivenUp(putBackGate(session, other, atFirst, eventually), false);
        // A neighbour with something to lose: one that is disabled and bare would show nothing of being wiped.
        const rich = { isEnabled: true, tags: ['conform'], description: `conform ${token} neighbour` };
        const set = await session.send({ endpoint: 'patch-gate', param: other, body: rich });
        if (!set.success) await session.send({ endpoint: 'patch-gate', param: other, body: { isEnabled: true } });
        const settled = await readSettledGate(session, other, eventually);
        if (settled.entity === null) return { because: `the gate ${other} could not be read`, answer: settled.answer };
        before = settled.entity;
        const marks: unknown[] = [];
        for (let number = 0; number < writesInARow; number += 1) {
          const mark = `conform ${token} neighbours ${round} ${number}`;
          const body = { description: mark, tags: [`conform-${token}-${round}-${number}`] };
          const answer = await sendPrepared(context, session, row.body === null ? undefined : body);
          if (!answer.success) return { because: `the write was refused (${refusalInWords(answer)})`, answer };
          marks.push(mark);
        }
        const differences = ({ entity }: Reading) =>
          entity === null ? [] : differencesOf(row, before, entity, volatile);
        const after = await eventually(
          () => readGate(session, other),
          reading => differences(reading).length === 0,
          reading =>
            differences(reading)
              .map(({ field }) => field)
              .join(),
        );
        if (after.entity === null) return { because: `the gate ${other} could not be read`, answer: after.answer };
        const changed = differences(after);
        const expected = () => `the gate ${other} as it was, for another was written`;
        const violations = differenceViolations(changed, after.answer, 'state.neighbours', expected);
        if (violations.length === 0 && !areComparable(row, before, after.entity, volatile))
          return { because: `the gate ${other} shows no setting` };
        return {
          covers: ['state.neighbours'],
          suspicions: violations.map((violation, index) => ({
            key: `${other} ${changed[index]?.field}`,
            violation,
            certain: marks.includes(changed[index]?.after),
          })),
        };
      },
      watch: async readings =>
        (await watchEntity(row, () => readGate(session, other), readings)).map(field => `${other} ${field}`),
      putBack: () => putBackGate(session, other, before, eventually),
    });
  };

/** Of writes at once to several gates each is stored in its own. */
const writeAtOnce =
  (gates: readonly string[]): Scenario =>
  ({ row, token }, session, { eventually, attribute }) =>
    attribute({
      async attempt(round) {
        const marks = gates.map((gate, index) => ({
          gate,
          description: `conform ${token} at once ${index}${round === 0 ? '' : ` again ${round}`}`,
          before: session.lastWritten(gate)?.description,
        }));
        const answers = await Promise.all(
          marks.map(({ gate, description }) =>
            session.send({ endpoint: 'patch-gate', param: gate, body: { description } }),
          ),
        );
        const silent = answers.find(isSilence);
        if (silent !== undefined || answers.every(({ success }) => !success))
          return { because: 'every one of the writes was refused', answer: silent ?? answers[0] };
        const suspicions: Suspicion[] = [];
        let stayed = 0;
        for (const [index, { gate, description, before }] of marks.entries()) {
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
          suspicions.push({
            key: `${gate} description`,
            violation: violation(answer, 'state.concurrent-answers', '/data/description', expected, actual),
            // Lost, or mixed up. Somebody else would have written something else.
            certain: stored === before || marks.some(mark => mark.description === stored),
          });
        }
        if (suspicions.length === 0 && stayed < 2) return { because: 'no two of the gates show their description' };
        return { suspicions, covers: ['state.concurrent-answers'] };
      },
      async watch(readings) {
        const moving: string[] = [];
        for (const gate of gates) {
          const fields = await watchEntity(row, () => readGate(session, gate), readings);
          moving.push(...fields.map(field => `${gate} ${field}`));
        }
        return moving;
      },
      putBack: async () => true,
    });

/** Section 4: a write to one gate leaves the others alone, and of writes at once none is lost or mixed up. */
export const neighbours: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'neighbours',
  level: 'MUST',
  title: 'A write to one gate leaves the others alone, and writes at once to several are neither lost nor mixed up',
  detects:
    'A write without its condition, a request context shared between requests, an update lost between reading and writing.',
  requirements: () => ['state.neighbours', 'state.concurrent-answers', ...liveness],
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
      { title: 'writes to another gate', run: writeBeside(other) },
      { title: 'further writes to another gate', run: writeBeside(other) },
      { title: `${several.length} writes at once, each to a gate of its own`, run: writeAtOnce(several) },
    ])(context);
  },
};
