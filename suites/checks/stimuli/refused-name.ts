import { hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { largerProfile } from '../../../contracts/report/remedies.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  violated,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { mustRefuse } from '../active/body.ts';
import { sendPersistently } from '../active/controls.ts';
import { asDryRun } from '../active/dry-run.ts';
import { nextMark } from '../scenarios/changes.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';

/** Returns a creation that must be refused because of another member than its name. */
const brokenCreation = (context: CheckContext): JsonObject | undefined =>
  mustRefuse(context).find(({ keyword, pointer }) => keyword === 'maxLength' && pointer === '/description')?.body;

/**
 * Creates under a name, and an id where the body has one, that only a refused request and a dry run have used. No
 * listing is needed: a taken name shows itself. Where no id may be chosen, the name alone is tried.
 */
export const takenNames: Scenario = async (context, session) => {
  const hasId = context.row.body?.properties?.id !== undefined;
  const result = await reused(context, session, hasId, nextMark(context, session));
  return result.proved || !hasId ? result : reused(context, session, false, nextMark(context, session));
};

async function reused(context: CheckContext, session: Session, hasId: boolean, name: string): Promise<CheckResult> {
  const { minimal, row } = context;
  const called = (text: string): JsonObject => ({ name: text, ...(hasId && { id: text }) });
  const sendOnce = (body: JsonObject): Promise<Answer> =>
    session.send({ ...minimalApiRequest(context, { ...minimal.body, ...body }), spare: true });
  const send = (body: JsonObject): Promise<Answer | null> => unlessWithheld(sendOnce(body));
  // A lock, or a change of somebody else, refuses a request for a moment: a name that was taken stays taken.
  const create = (text: string): Promise<Answer | null> =>
    unlessWithheld(sendPersistently(() => sendOnce(called(text))));
  const tryDry = async (text: string): Promise<boolean> =>
    hasDryRun(row) && (await send(asDryRun(called(text))))?.success === true;
  const refused = await send({ ...brokenCreation(context), ...called(name) });
  if (refused === null) return unproved('no more may be created');
  if (!isClientError(refused)) return unproved('the broken creation was not refused');
  const isTried = await tryDry(name);
  const created = await create(name);
  if (created === null) return unproved('no more may be created');
  const covers = ['reject.no-trace', ...(isTried ? (['state.dry-run-metric'] as const) : [])] as const;
  if (created.success) return covering([], covers);
  if (!isClientError(created)) return unproved(`no answer of use (${refusalInWords(created)})`);
  // Other checks judge whether an id may be chosen, and whether anything can still be created.
  if ((await send(called(`${name}_too`)))?.success !== true)
    return unproved(`a creation under another name is refused as well (${refusalInWords(created)})`);
  // What let the other name pass may let this one pass now.
  if ((await create(name))?.success === true) return covering([], covers);
  const other = `${name}_dry`;
  const afterDryRun = isTried && (await tryDry(other)) ? await create(other) : null;
  const isDry = afterDryRun !== null && !afterDryRun.success;
  const expected = `a creation: only a ${isDry ? 'dry run' : 'refused request'} has had the name`;
  const requirement = isDry ? 'state.dry-run-metric' : 'reject.no-trace';
  return violated(isDry ? afterDryRun : created, requirement, 'status', expected, refusalInWords(created));
}

/** Section 4.13: no operation lists prompt versions, but reusing a refused name or id shows whether it was taken. */
export const refusedName: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'refused-name',
  level: 'SHOULD',
  title: 'A refused creation takes neither its name nor its id',
  detects: 'A name that is registered before the request is validated.',
  requirements: () => ['reject.no-trace', ...liveness],
  appliesTo: row => isOperation(row, 'prompt-version', 'create'),
  plan(context) {
    if (context.amounts.creations === 1)
      return { because: 'this profile creates nothing for it', remedy: largerProfile };
    if (brokenCreation(context) === undefined) return { because: 'no field of the body can be broken' };
    return planOf(context, { title: 'a refused creation, then one of the same name', run: takenNames });
  },
};
