import type { Json, JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import type { AcceptCase } from '../../generators/index.ts';
import { acceptanceViolations, isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import { type CheckContext, type CheckResult, covering, type Session, unproved } from '../../protocol/check.ts';
import type { LearnedReference } from '../../protocol/sut.ts';
import { lockedFields, proofless } from './locked-field.ts';
import { findMissingPart } from './missing-part.ts';
import { sendPersistently } from './persistently.ts';
import { sendPrepared } from './prepare.ts';
import { judgeCompany } from './refused-company.ts';
import type { Turns } from './turns.ts';

/** The operations of which the specification says what a request must have. */
const mayDemandLess = requirementById('accept.optional-absent').endpoints;

/** A result whose violations are no more than warnings, and why. */
const doubtful = (result: CheckResult, doubt: string): CheckResult => ({
  ...result,
  violations: result.violations.map(one => ({ ...one, doubt })),
});

/**
 * What the refusal of a name comes to that the target's own answers taught: nothing, but that it is not sent again. Beside
 * a feature that the target file declares it may be the feature that is refused, which is judged by a case of its own.
 */
function learnedRefused(
  { pointer }: AcceptCase,
  { what, value, word }: LearnedReference,
  answer: Answer,
  { row }: CheckContext,
): CheckResult {
  const isOfFeature = row.body?.properties?.[steps(pointer)[0] ?? '']?.annotation?.semantics === 'capability';
  return {
    ...unproved(`the ${what} ${inWords(value)}, learned from ${word.origin}, was refused (${refusalInWords(answer)})`),
    ...(isOfFeature ? {} : { refusedWord: word }),
  };
}

/** How the cases of a check are sent, and judged. */
export interface AttemptsInput {
  readonly context: CheckContext;
  readonly turns: Turns;
  /** The requirement that the refusal of a case breaks. */
  readonly requirementOf: (input: AcceptCase) => RequirementId;
  /**
   * So many refusals are examined: few, where examining one creates things that stay. Then acceptances that were to be
   * had anyway stand for minimal requests as far as they can.
   */
  readonly mostExamined: number;
  /** The body as it is sent: as a dry run, say. */
  readonly asSent: (body: JsonObject) => JsonObject;
}

/**
 * Requests that must be accepted, sent in one way, on top of a minimal request that was accepted in the same way.
 *
 * A refused case is sent again, alone, with a fresh name, between two minimal requests. If one of those is refused, the
 * target has had enough (a quota, a plan, a review), and all further cases are unproved with its own words. A case that
 * is then accepted was refused for something else. A field that is refused at every value for its circumstances is
 * locked.
 */
export function createAttempts({ context, turns, requirementOf, mostExamined, asSent }: AttemptsInput) {
  const { row, minimal } = context;
  const isSparing = Number.isFinite(mostExamined);
  let enough: string | null = null;
  let examined = 0;
  let isOpened = false;
  /** Refusals since the last acceptance, in their words, of requests with nothing else under way. */
  const last = new Set<string>();
  /** Those after which something was accepted: what they refuse it is, and not that the target has had enough. */
  const survived = new Set<string>();

  /** What was accepted, as JSON: it need not be sent once more to be a control. */
  const accepted = new Set<string>();

  async function send(session: Session, body: JsonObject | undefined): Promise<Answer> {
    const answer = await sendPrepared(
      context,
      session,
      row.body === null || body === undefined ? undefined : asSent(body),
    );
    if (answer.success) accepted.add(JSON.stringify(body));
    return answer;
  }
  const lockOf = lockedFields(context, send);

  /** Sends a request with nothing else under way, so that the order of answers is that in which they were made. */
  async function sendAlone(session: Session, body: JsonObject | undefined): Promise<Answer> {
    const answer = await send(session, body);
    if (isClientError(answer)) last.add(refusalInWords(answer));
    if (!answer.success) return answer;
    for (const words of last) survived.add(words);
    last.clear();
    return answer;
  }

  /**
   * Sends the minimal request once more; true where the target refuses it now. Where that would leave something, it is
   * not sent for a refusal in words after which something was accepted.
   */
  async function hasEnough(session: Session, refused?: Answer): Promise<boolean> {
    if (isSparing && refused !== undefined && survived.has(refusalInWords(refused))) return false;
    const answer = await sendAlone(session, minimal.body);
    if (isClientError(answer))
      enough = isOpened
        ? `the minimal request, accepted before, is refused now (${refusalInWords(answer)})`
        : `the minimal request was refused (${refusalInWords(answer)})`;
    isOpened ||= answer.success;
    return enough !== null;
  }

  function judge(answer: Answer, input: AcceptCase): CheckResult {
    if (input.learned !== undefined && isClientError(answer))
      return learnedRefused(input, input.learned, answer, context);
    const requirement = requirementOf(input);
    // The minimal request shows that there is such a route.
    const isWhole = input.keyword === 'template' && mayDemandLess.includes(context.endpoint);
    const covers: RequirementId[] = [
      ...(input.keyword === 'template' ? (['service.route'] as const) : []),
      requirement,
      ...(isWhole ? (['accept.optional-absent'] as const) : []),
    ];
    return covering(acceptanceViolations(answer, requirement, input.title), answer.success ? covers : []);
  }

  /** The case with the level at which it is judged: one of its controls that is accepted makes it a MUST. */
  async function lifted(input: AcceptCase, session: Session): Promise<AcceptCase> {
    for (const control of input.controls ?? [])
      if (accepted.has(JSON.stringify(control)) || (await sendAlone(session, control)).success)
        return { ...input, level: 'MUST' };
    return input;
  }

  /** Looks for the cause of a refusal, with nothing else under way. */
  async function examine(input: AcceptCase, session: Session, first: Answer, premise?: Answer): Promise<CheckResult> {
    if (await hasEnough(session, first)) return unproved(enough ?? '');
    const second = await sendPersistently(() => sendAlone(session, input.body));
    if (second.success) {
      const because = `refused at first (${refusalInWords(first)}), accepted when sent again`;
      return isCircumstantial(first) || input.learned !== undefined
        ? { ...covering([], [requirementOf(input)]), because }
        : doubtful(judge(first, input), because);
    }
    if (!isClientError(second)) return judge(second, input);
    // A warning is worth no creation, and a field that is locked needs none to be told.
    const isSurvived = isSparing && survived.has(refusalInWords(second));
    if (!isSurvived && (await hasEnough(session))) return unproved(enough ?? '');
    const shown = (premise === undefined ? {} : dataObject(premise)) as Json;
    const lock = isCircumstantial(second) ? await lockOf(input, session, second, shown) : null;
    if (lock !== null) return proofless(lock);
    if (isSurvived && input.level === 'MUST' && (await hasEnough(session))) return unproved(enough ?? '');
    const found = await findMissingPart(context, session, second);
    if (found !== null) return found;
    const ofCompany = await judgeCompany(input, context, session, second);
    if (ofCompany !== null) return ofCompany;
    const judged = judge(second, await lifted(input, session));
    // Each further try would leave what this one has left.
    const seen = isSparing ? { seen: { times: 2, of: 2 } } : {};
    return { ...judged, violations: judged.violations.map(one => ({ ...one, ...seen })) };
  }

  return {
    send,
    sendAlone,
    hasEnough,
    judge,
    /** Why nothing more is sent; null while the target takes more. */
    enough: (): string | null => enough,
    /** Sends a case, on top of the accepted minimal request where that was sent already. */
    async attempt(input: AcceptCase, session: Session, premise?: Answer): Promise<CheckResult> {
      const result = await attempted(input, session, premise);
      const refused = result.violations.map(({ answer }) => answer).find(isClientError);
      return input.learned === undefined || refused === undefined
        ? result
        : learnedRefused(input, input.learned, refused, context);
    },
  };

  async function attempted(input: AcceptCase, session: Session, premise?: Answer): Promise<CheckResult> {
    isOpened ||= premise !== undefined;
    if (enough !== null) return unproved(enough);
    const answer = await turns.together(() => send(session, input.body));
    isOpened ||= answer.success;
    if (answer.success || !isClientError(answer)) return judge(answer, input);
    examined += 1;
    const isLast = examined > mostExamined;
    return turns.alone(async () => {
      if (enough !== null) return unproved(enough);
      if (!isLast) return examine(input, session, answer, premise);
      return doubtful(judge(answer, input), 'not sent again, as the minimal requests around it would leave something');
    });
  }
}
