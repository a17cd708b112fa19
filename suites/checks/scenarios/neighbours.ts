import type { JsonObject, Members } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said, saidLost } from '../../judge/words.ts';
import { type Answer, isSilence } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, type Session, violation } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import type { Suspicion, Tried } from '../../state/attribution.ts';
import { putBackGate, watchEntity, writableMembers } from '../../state/control.ts';
import { mostTogether, sendTogether } from '../../state/crowd.ts';
import { areComparable, differencesOf, differenceViolations, volatile } from '../../state/difference.ts';
import type { Eventually } from '../../state/eventually.ts';
import { type Reading, readGate, readSettledGate } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { sendPrepared } from '../active/prepare.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many writes are in flight at once, or as many as there are gates. */
const atOnce = 8;

/** So many writes are sent in a row: what goes wrong now and then does so after one of them. */
const writesInARow = 3;

/** Brings a neighbour into a state with something to lose, and reads it. */
async function preparedNeighbour(
  context: CheckContext,
  session: Session,
  eventually: Eventually,
  gate: string,
): Promise<Reading> {
  const { discovered, token } = context;
  const atFirst = discovered.gates?.get(gate);
  // What earlier writes did to it already would show no more: it begins as it was before the run.
  if (atFirst !== undefined) await unlessGivenUp(putBackGate(session, gate, atFirst, eventually), false);
  // One that is disabled and bare would show nothing of being wiped.
  const rich = { isEnabled: true, tags: ['conform'], description: `conform ${token} neighbour` };
  const send = (body: JsonObject) =>
    unlessGivenUp(session.send({ endpoint: 'patch-gate', param: gate, body }), undefined);
  if ((await send(writableMembers(rich, context, gate)))?.success !== true) await send({ isEnabled: true });
  return readSettledGate(session, gate, eventually);
}

/** Writes to the gate of the endpoint leave others alone. */
const writeBeside =
  (others: readonly string[]): Scenario =>
  (context, session, { eventually, attribute }) => {
    const { row, token } = context;
    const before = new Map<string, Members>();
    const suspected = new Set<string>();
    const unreadable = (gate: string, answer: Answer) => ({ because: `the gate ${gate} could not be read`, answer });
    /** What differs in a neighbour now, after writes with these marks; or why nothing could be told. */
    async function suspicionsOf(gate: string, was: Members, marks: readonly unknown[]): Promise<Tried> {
      const differences = ({ entity }: Reading) => (entity === null ? [] : differencesOf(row, was, entity, volatile));
      const after = await eventually(
        () => readGate(session, gate),
        reading => differences(reading).length === 0,
        reading => `${gate} ${differences(reading).map(({ field }) => field)}`,
      );
      if (after.entity === null) return unreadable(gate, after.answer);
      const changed = differences(after);
      const expected = () => `the gate ${gate} as it was, for another was written`;
      const violations = differenceViolations(changed, after.answer, 'state.neighbours', expected);
      if (violations.length === 0 && !areComparable(row, was, after.entity, volatile))
        return { because: `the gate ${gate} shows no setting` };
      if (violations.length > 0) suspected.add(gate);
      const suspicions = violations.map((one, index) => ({
        key: `${gate} ${changed[index]?.field}`,
        violation: one,
        certain: marks.includes(changed[index]?.after),
      }));
      return { covers: ['state.neighbours'], suspicions };
    }
    return attribute(session, {
      async attempt(round) {
        for (const gate of others) {
          const { entity, answer } = await preparedNeighbour(context, session, eventually, gate);
          if (entity === null && others.length === 1) return unreadable(gate, answer);
          if (entity === null) before.delete(gate);
          else before.set(gate, entity);
        }
        if (before.size === 0) return { because: 'none of the other gates could be read' };
        const marks: unknown[] = [];
        for (let number = 0; number < writesInARow; number += 1) {
          const mark = `conform ${token} neighbours ${round} ${number}`;
          const rich = { description: mark, tags: [`conform-${token}-${round}-${number}`] };
          const body = writableMembers(rich, context, context.minimal.param ?? '');
          const isMinimal = row.body === null || Object.keys(body).length === 0;
          const answer = await sendPrepared(context, session, isMinimal ? undefined : body);
          if (!answer.success) return { because: `the write was refused (${refusalInWords(answer)})`, answer };
          marks.push(mark);
        }
        const suspicions: Suspicion[] = [];
        const covers = new Set<RequirementId>();
        for (const [gate, was] of before) {
          const tried = await suspicionsOf(gate, was, marks);
          if ('because' in tried && others.length === 1) return tried;
          if ('because' in tried) continue;
          suspicions.push(...tried.suspicions);
          for (const one of tried.covers) covers.add(one);
        }
        return { covers: [...covers], suspicions };
      },
      async watch(readings) {
        const moving: string[] = [];
        for (const gate of suspected) {
          const fields = await watchEntity(row, () => readGate(session, gate), readings);
          moving.push(...fields.map(field => `${gate} ${field}`));
        }
        return moving;
      },
      async putBack() {
        let isBack = true;
        for (const gate of suspected)
          isBack = (await putBackGate(session, gate, before.get(gate) ?? {}, eventually)) && isBack;
        return isBack;
      },
    });
  };

/** Of writes at once to several gates each is stored in its own. */
const writeAtOnce =
  (named: readonly string[]): Scenario =>
  (context, session, { eventually, attribute }) => {
    const { row, token } = context;
    const gates = named.filter(gate => 'description' in writableMembers({ description: '' }, context, gate));
    return attribute(session, {
      async attempt(round) {
        if (gates.length < 2) return { because: 'no two of the gates show their description' };
        const marks = gates.slice(0, mostTogether).map((gate, index) => ({
          gate,
          description: `conform ${token} at once ${index}${round === 0 ? '' : ` again ${round}`}`,
          before: session.lastWritten(gate)?.description,
        }));
        const answers = await sendTogether(
          session,
          marks.map(({ gate, description }) => ({ endpoint: 'patch-gate', param: gate, body: { description } })),
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
          const expected = saidLost(description, ` at the gate ${gate}, as one of ${marks.length} writes at once`);
          const actual = said(stored);
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
  };

/** Section 4: a write to one entity leaves the others alone, and of writes at once none is lost or mixed up. */
export const neighbours: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'neighbours',
  level: 'MUST',
  title:
    'A write to one entity leaves the others alone, and writes at once to several gates are neither lost nor mixed up',
  detects:
    'A write without its condition, a request context shared between requests, an update lost between reading and writing.',
  requirements: () => ['state.neighbours', 'state.concurrent-answers', ...liveness],
  appliesTo: row => row.resource === 'gate' && row.effect === 'restorable',
  plan(context) {
    const gates = fixtureNames(context.target, 'gates');
    const others = gates.filter(gate => gate !== context.minimal.param).slice(0, atOnce);
    if (others.length === 0) {
      return {
        because: 'the target file names one gate, and this takes two',
        remedy: 'fixtures.gates: ["a_gate", "another_gate"]',
      };
    }
    const several = gates.slice(0, atOnce);
    return planOf([
      { title: 'writes to another gate', run: writeBeside(others.slice(0, 1)) },
      { title: 'further writes, and all other gates', run: writeBeside(others) },
      { title: `${several.length} writes at once, each to a gate of its own`, run: writeAtOnce(several) },
    ])(context);
  },
};
