import type { Json, JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { AcceptCase } from '../../generators/index.ts';
import { acceptanceViolations, isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, dataObject, isAccepted, isKeyRefusal } from '../../protocol/answer.ts';
import {
  type CaseDescription,
  type CheckContext,
  type CheckPlan,
  type CheckResult,
  covering,
  type Session,
  unproved,
} from '../../protocol/check.ts';
import { lockedFields } from './locked-field.ts';
import { createsForGood, inDryRun, sendPrepared } from './prepare.ts';
import { createTurns } from './turns.ts';

/** So many refused creations of a check are examined, where examining one creates two more that cannot be removed. */
const mostExamined = 6;

/** A case in words: what was sent, and where. */
export const describeAcceptCase = ({ title, pointer, value, isOneOfMany }: AcceptCase): CaseDescription => ({
  title,
  pointer,
  sent: value,
  isOneOfMany,
});

/** True of the minimal request itself, without a field on top of it. */
export const isMinimalCase = ({ pointer, keyword }: AcceptCase): boolean => pointer === '' && keyword !== 'combination';

/** Why the first refusal of a minimal request says nothing of the service: see `isCircumstantial`; else null. */
function premiseLost(answer: Answer, { row, minimal }: CheckContext): string | null {
  const words = refusalInWords(answer);
  if (answer.status === 404 && row.param !== null)
    return `${minimal.param ?? 'the endpoint'} was not found (${words}): is it named rightly in the target file?`;
  if (isKeyRefusal(answer)) return `the key was refused (${words})`;
  // A request that the service understands and cannot carry out now: a config in use, a gate under review (RFC 4918).
  const isLater = (isCircumstantial(answer) && answer.status !== 404) || answer.status === 422;
  return isLater ? `the minimal request was refused (${words})` : null;
}

/** True of an answer that knows no such path or method: without an id in the path nothing else can be missing. */
const isUnrouted = ({ status }: Answer, { row }: CheckContext): boolean =>
  status === 405 || status === 501 || (status === 404 && row.param === null);

/** Why nothing more can be shown, of a minimal request that was accepted before. */
const exhausted = (answer: Answer): string =>
  `the minimal request, accepted before, is refused now (${refusalInWords(answer)})`;

/** A result whose violations are no more than warnings, and why. */
const doubtful = (result: CheckResult, doubt: string): CheckResult => ({
  ...result,
  violations: result.violations.map(one => ({ ...one, doubt })),
});

/**
 * Opens an endpoint for requests that must be accepted; a refusal breaks what `requirementOf` says of the case.
 *
 * Sends the minimal request once: where that is refused, a single field on top of it proves nothing. A refused case is
 * sent again, alone, with a fresh name, between two minimal requests. If one of those is refused, the target has had
 * enough (a quota, a plan, a review), and all further cases are unproved with its own words. A case that is then
 * accepted was refused for something else. A field that is refused at every value for its circumstances is locked.
 */
export function acceptance(
  context: CheckContext,
  requirementOf: (input: AcceptCase) => RequirementId,
): CheckPlan<AcceptCase>['run'] {
  const { row, minimal } = context;
  const turns = createTurns();
  let premise: Promise<Answer> | undefined;
  let enough: string | null = null;
  let examined = 0;

  const send = (session: Session, body: JsonObject): Promise<Answer> =>
    sendPrepared(context, session, row.body === null ? undefined : inDryRun(body, context));
  const sendMinimal = (session: Session): Promise<Answer> =>
    sendPrepared(context, session, minimal.body && inDryRun(minimal.body, context));
  const lockOf = lockedFields(context, send);

  /** Sends the minimal request once more; true where the target refuses it now. */
  async function hasEnough(session: Session): Promise<boolean> {
    const answer = await sendMinimal(session);
    if (isClientError(answer)) enough = exhausted(answer);
    return enough !== null;
  }

  function judge(answer: Answer, input: AcceptCase): CheckResult {
    const requirement = isUnrouted(answer, context) ? 'service.route' : requirementOf(input);
    const covers: RequirementId[] = isMinimalCase(input) ? ['service.route', 'accept.smallest'] : [requirement];
    return covering(acceptanceViolations(answer, requirement, input.title), answer.success ? covers : []);
  }

  /** Looks for the cause of a refusal, with nothing else under way. */
  async function examine(input: AcceptCase, session: Session, first: Answer): Promise<CheckResult> {
    if (enough !== null) return unproved(enough);
    if (await hasEnough(session)) return unproved(enough ?? '');
    const second = await send(session, input.body);
    if (second.success) {
      const because = `refused at first (${refusalInWords(first)}), accepted when sent again`;
      return isCircumstantial(first)
        ? { ...covering([], [requirementOf(input)]), because }
        : doubtful(judge(first, input), because);
    }
    if (!isClientError(second)) return judge(second, input);
    if (await hasEnough(session)) return unproved(enough ?? '');
    const shown = dataObject((await premise) ?? second) as Json;
    const lock = isCircumstantial(second) ? await lockOf(input, session, second, shown) : null;
    return lock === null ? judge(second, input) : unproved(lock);
  }

  async function judgeMinimal(input: AcceptCase, session: Session): Promise<CheckResult> {
    const sending = send(session, input.body);
    // Noted before the answer is there: cases in flight beside this one must not send the minimal request once more.
    premise ??= sending;
    // Where it fails this case fails too; no other case may be waiting for it.
    premise.catch(() => {});
    const answer = await sending;
    // No answer at all is a finding; an entity that is not there is a gap in the target file.
    const lost = answer.success || answer.reply.failure !== null ? null : premiseLost(answer, context);
    return lost === null ? judge(answer, input) : unproved(lost);
  }

  return async (input, session) => {
    if (isMinimalCase(input) || input.body === minimal.body) return judgeMinimal(input, session);
    premise ??= sendMinimal(session);
    const opened = await premise;
    if (!isAccepted(opened))
      return unproved(
        `the minimal request of this endpoint was not accepted (${refusalInWords(opened)}), so a single field proves nothing`,
      );
    if (enough !== null) return unproved(enough);
    const answer = await turns.together(() => send(session, input.body));
    if (answer.success || !isClientError(answer)) return judge(answer, input);
    if (createsForGood(context, input.body)) examined += 1;
    if (examined > mostExamined)
      return doubtful(
        judge(answer, input),
        'not sent again, as the minimal requests around it would have left something',
      );
    return turns.alone(() => examine(input, session, answer));
  };
}
