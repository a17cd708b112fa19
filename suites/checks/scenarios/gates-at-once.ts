import { said, saidLost } from '../../judge/words.ts';
import { isSilence } from '../../protocol/answer.ts';
import { violation } from '../../protocol/check.ts';
import type { Suspicion } from '../../state/attribution.ts';
import { watchEntity, writableMembers } from '../../state/control.ts';
import { mostTogether, sendTogether } from '../../state/crowd.ts';
import { readGate } from '../../state/reading.ts';
import type { Scenario } from './scenario.ts';

/** Of writes at once to several gates each is stored in its own. */
export const writeAtOnce =
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
