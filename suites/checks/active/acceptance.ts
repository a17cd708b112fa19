import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { AcceptCase } from '../../generators/index.ts';
import { acceptanceViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import { type Answer, isKeyRefusal } from '../../protocol/answer.ts';
import {
  type CaseDescription,
  type CheckContext,
  type CheckPlan,
  type CheckResult,
  judged,
  unproved,
} from '../../protocol/check.ts';
import type { LearnedReference } from '../../protocol/sut.ts';
import { inDryRun, sendPrepared } from './prepare.ts';

/** A case in words: what was sent, and where. */
export const describeAcceptCase = ({ title, pointer, value, isOneOfMany }: AcceptCase): CaseDescription => ({
  title,
  pointer,
  sent: value,
  isOneOfMany,
});

/** True of the minimal request itself, without a field on top of it. */
export const isMinimalCase = ({ pointer, keyword }: AcceptCase): boolean => pointer === '' && keyword !== 'combination';

/** Why the refusal of a minimal request says nothing: a wrong key, or an entity that is not there; else null. */
function premiseLost(answer: Answer, { row, minimal }: CheckContext): string | null {
  if (answer.status === 404 && row.param !== null)
    return `${minimal.param ?? 'the endpoint'} was not found (status 404): is it named rightly in the target file?`;
  return isKeyRefusal(answer) ? `the key was refused (status ${answer.status})` : null;
}

/** True of an answer that knows no such path or method: without an id in the path nothing else can be missing. */
const isUnrouted = ({ status }: Answer, { row }: CheckContext): boolean =>
  status === 405 || status === 501 || (status === 404 && row.param === null);

/** What the refusal of a name comes to that the target's own answers taught: nothing, but that it is not sent again. */
const learnedRefused = ({ what, value, word }: LearnedReference, answer: Answer): CheckResult => ({
  ...unproved(`the ${what} ${inWords(value)}, learned from ${word.origin}, was refused (${refusalInWords(answer)})`),
  refusedWord: word,
});

/**
 * Opens an endpoint for requests that must be accepted. Sends the minimal request once: where that is refused, a single
 * field on top of it proves nothing. A refusal breaks what `requirementOf` says of the case.
 */
export function acceptance(
  context: CheckContext,
  requirementOf: (input: AcceptCase) => RequirementId,
): CheckPlan<AcceptCase>['run'] {
  const { row, minimal } = context;
  let minimalAccepted: Promise<boolean> | undefined;
  return async (input, session) => {
    const isMinimal = isMinimalCase(input);
    if (!isMinimal) {
      minimalAccepted ??= sendPrepared(context, session, minimal.body && inDryRun(minimal.body, context)).then(
        ({ success }) => success,
      );
      if (!(await minimalAccepted))
        return unproved('the minimal request of this endpoint was refused, so a single field proves nothing');
    }
    const sending = sendPrepared(context, session, row.body === null ? undefined : inDryRun(input.body, context));
    if (isMinimal) {
      // Noted before the answer is there: cases in flight beside this one must not send the minimal request once more.
      minimalAccepted ??= sending.then(({ success }) => success);
      // Where it fails this case fails too; no other case may be waiting for it.
      minimalAccepted.catch(() => {});
    }
    const answer = await sending;
    // No answer at all is a finding; an entity that is not there is a gap in the target file.
    const lost = isMinimal && !answer.success && answer.reply.failure === null ? premiseLost(answer, context) : null;
    if (lost !== null) return unproved(lost);
    if (input.learned !== undefined && !answer.success && answer.status >= 400 && answer.status < 500)
      return learnedRefused(input.learned, answer);
    const requirement = isUnrouted(answer, context) ? 'service.route' : requirementOf(input);
    return judged(acceptanceViolations(answer, requirement, input.title));
  };
}
