import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import { companyOf } from '../../generators/company.ts';
import type { Pack } from '../../generators/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { isClientError } from '../../judge/outcome.ts';
import { said, saidLost } from '../../judge/words.ts';
import {
  type CheckContext,
  type CheckResult,
  minimalApiRequest,
  type Session,
  violation,
} from '../../protocol/check.ts';
import { putBackQualifyingEvent, watchEntity } from '../../state/control.ts';
import { type Reading, readQualifyingEvent } from '../../state/reading.ts';
import { marked, refused } from './event-neighbours.ts';
import { createParts } from './parts.ts';
import { createCare, type Scenario } from './scenario.ts';

/** What the case before left known of the source: its last reading, where nothing was suspected. */
interface LastReading {
  entity: Members | null;
}

/** Why nothing is told of a source that the list does not hold. */
export const notListed = { because: 'the qualifying event does not stand in the list' };

/** Why nothing is told where the list leaves out what was sent. */
export const notShown = { because: 'the list does not show the description, so that nothing tells what was stored' };

/** The list shows what an update stored, of each field that it carried. */
const visible =
  (pack: JsonObject, which: number, last: LastReading, onRefused: () => void): Scenario =>
  (context, session, { eventually, attribute }) => {
    const name = context.minimal.param ?? '';
    const read = () => readQualifyingEvent(session, name);
    let before: Members | null = null;
    return attribute(session, {
      async attempt(round) {
        // What the pack says nothing of is new each time, so that it shows whether anything was stored.
        const mark = marked(context, `visible ${which} ${round}`);
        const body = { ...pack, ...(pack.description === undefined ? { description: mark.description ?? '' } : {}) };
        const was = last.entity ?? (await read()).entity;
        before = was;
        last.entity = null;
        const answer = await session.send(minimalApiRequest(context, body));
        if (isClientError(answer) && round === 0) onRefused();
        if (!answer.success) return refused(answer);
        const sent = membersOf(answer.sent) as JsonObject;
        const mismatches = ({ entity }: Reading) =>
          entity === null
            ? []
            : // In which order an answer shows a list is judged where the answer to the write is.
              storedMismatches(sent, entity, context.row, '/data/*').filter(({ kind }) => kind !== 'order');
        const reading = await eventually(
          read,
          after => after.entity !== null && mismatches(after).length === 0,
          after =>
            mismatches(after)
              .map(({ pointer }) => pointer)
              .join(),
        );
        if (reading.entity === null) return notListed;
        // The description is new with every run; the other fields may have had their values before.
        if (mismatches(reading).length === 0 && reading.entity.description === undefined) return notShown;
        if (mismatches(reading).length === 0) last.entity = reading.entity;
        return {
          covers: ['state.qualifying-event-visible'],
          suspicions: mismatches(reading).map(({ pointer, sent: value, got }) => {
            const expected = saidLost(value, ', as updated');
            const requirement = 'state.qualifying-event-visible';
            const [, , field = ''] = pointer.split('/').slice(1);
            return {
              key: field,
              violation: violation(reading.answer, requirement, pointer, expected, said(got)),
              // Lost: what only this run can have written before is there again.
              certain: field === 'description' && was !== null && isDeepStrictEqual(was[field], got),
            };
          }),
        };
      },
      watch: readings => watchEntity(context.row, read, readings),
      // What is lost only where something changes is lost again only where it changes again.
      putBack: async () => before !== null && (await putBackQualifyingEvent(session, name, before, eventually)),
    });
  };

/** Packs, for each random case that the profile has of a check. */
const packsPerCase = 0.75;

/** Updates of a source with its fields in company, each of which the list has to show. */
export function updatesInCompany(context: CheckContext): {
  readonly cases: readonly Pack[];
  run(pack: Pack, session: Session): Promise<CheckResult>;
} {
  const care = createCare(context.settleMs);
  const { row, minimal, target, amounts } = context;
  const template = minimal.body ?? {};
  const last: LastReading = { entity: null };
  let which = 0;
  const inParts = createParts(context, template, (body, session) => onRefused => {
    which += 1;
    return visible(body, which, last, onRefused)(context, session, care);
  });
  const plain: Pack = { body: template, cases: [] };
  const packs = companyOf(row.body ?? { type: 'object' }, template, target);
  return {
    cases: [plain, ...packs.slice(0, Math.ceil(packsPerCase * amounts.fuzz))],
    run: (pack, session) =>
      pack === plain ? visible(template, 0, last, () => {})(context, session, care) : inParts(pack, session),
  };
}
