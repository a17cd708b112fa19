import type { Json, JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { compact } from '../../../contracts/present.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { type AcceptCase, linesIn } from '../../generators/index.ts';
import { acceptanceViolations, isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords, refusalReason } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import { type CheckContext, type CheckResult, covering, type Session, unproved } from '../../protocol/check.ts';
import type { LearnedReference } from '../../protocol/sut.ts';
import { sendPersistently, sendPrepared } from './controls.ts';
import { lockedFields, proofless } from './locked-field.ts';
import { findMissingPart } from './missing-part.ts';
import { judgeCompany, judgeRelation } from './refused-company.ts';
import type { Turns } from './turns.ts';
import { createUnlistedNames } from './unlisted-name.ts';

/** The operations whose required members the specification states. */
const mayDemandLess = requirementById('accept.optional-absent').endpoints;

/** Turns the violations of a result into warnings, with the reason. */
const doubtful = (result: CheckResult, doubt: string): CheckResult => ({
  ...result,
  violations: result.violations.map(one => ({ ...one, doubt })),
});

/** The doubt of a value that nothing states, refused for a plan or a permission while others are accepted. */
const permitted = 'its status is that of a plan or a permission, which may be about this value alone';

const isOfPermission = ({ status }: Answer, broken: RequirementId): boolean =>
  broken === 'accept.plain-value' && (status === 402 || status === 403);

/**
 * Returns the result of a refused case that used a learned name: unproved, and the name is not sent again. If the case
 * uses a declared feature, the feature may be what is refused. The name is kept then, since the feature has a case of
 * its own.
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
    ...(!isOfFeature && { refusedWord: word }),
  };
}

/** The way in which the cases of a check are sent and judged. */
export interface AttemptsInput {
  readonly context: CheckContext;
  readonly turns: Turns;
  /** Returns the requirement that the refusal of a case breaks. */
  readonly requirementOf: (input: AcceptCase) => RequirementId;
  /**
   * Maximum number of refusals to examine: few if an examination creates things that stay. Then earlier acceptances
   * replace minimal requests where possible.
   */
  readonly mostExamined: number;
  /** Returns the body as it is sent, for example as a dry run. */
  readonly asSent: (body: JsonObject) => JsonObject;
}

/**
 * Makes the sender of requests that must be accepted. Each builds on a minimal request that was accepted in the same
 * way.
 *
 * A refused case is sent again, alone, with a fresh name, between two minimal requests. If a minimal request is
 * refused, the target takes no more (a quota, a plan, a review): all further cases are unproved, with its own words. If
 * the case is accepted now, its first refusal had another cause. A field that is refused at every value because of
 * circumstances is locked.
 */
export function createAttempts({ context, turns, requirementOf, mostExamined, asSent }: AttemptsInput) {
  const { row, minimal } = context;
  const isSparing = Number.isFinite(mostExamined);
  let enough: string | null = null;
  let examined = 0;
  let isOpened = false;
  /** The words of the refusals since the last acceptance, from requests that ran alone. */
  const last = new Set<string>();
  /** Refusals after which something was accepted: their request was at fault, not a target that takes no more. */
  const survived = new Set<string>();

  /** Accepted bodies, as JSON: they need not be sent again as controls. */
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
  const unlistedName = createUnlistedNames(context);

  /** Sends a request with nothing else under way, so that answers come in the order of the requests. */
  async function sendAlone(session: Session, body: JsonObject | undefined): Promise<Answer> {
    const answer = await send(session, body);
    if (isClientError(answer)) last.add(refusalReason(answer));
    if (!answer.success) return answer;
    for (const words of last) survived.add(words);
    last.clear();
    return answer;
  }

  /**
   * Sends the minimal request again; true if the target refuses it now. If that would leave something, skips it when
   * something was accepted after the same refusal.
   */
  async function hasEnough(session: Session, refused?: Answer): Promise<boolean> {
    if (isSparing && refused !== undefined && survived.has(refusalReason(refused))) return false;
    const answer = await sendAlone(session, minimal.body);
    const was = isOpened ? ', accepted before, is refused now' : ' was refused';
    if (isClientError(answer)) enough = `the minimal request${was} (${refusalInWords(answer)})`;
    isOpened ||= answer.success;
    return enough !== null;
  }

  function judge(answer: Answer, input: AcceptCase): CheckResult {
    if (input.learned !== undefined && isClientError(answer))
      return learnedRefused(input, input.learned, answer, context);
    const requirement = requirementOf(input);
    // The minimal request shows that the route exists.
    const isWhole = input.keyword === 'template' && mayDemandLess.includes(context.endpoint);
    const covers = compact<RequirementId>([
      input.keyword === 'template' && 'service.route',
      requirement,
      isWhole && 'accept.optional-absent',
    ]);
    const lines = answer.success
      ? []
      : linesIn(row.body ?? {}, input.body, input.keyword === 'template' ? undefined : minimal.body);
    const doubt = lines.length === 0 ? '' : `, if ${lines.join(', ')} of the target file names what is there`;
    const [field = ''] = steps(input.pointer);
    const forms = row.body?.properties?.[field]?.anyOf ?? [];
    const isText = typeof input.value === 'string' && forms.some(({ type }) => type === 'array');
    const what = `${input.title}${isText ? ', as a text, not as a list' : ''}${doubt}`;
    return covering(acceptanceViolations(answer, requirement, what), answer.success ? covers : []);
  }

  /** Returns the case with its effective level: an accepted control makes it a MUST. */
  async function lifted(input: AcceptCase, session: Session): Promise<AcceptCase> {
    for (const control of input.controls ?? [])
      if (accepted.has(JSON.stringify(control)) || (await sendAlone(session, control)).success)
        return { ...input, level: 'MUST' };
    return input;
  }

  /** Looks for the cause of a refusal, with nothing else under way. */
  async function examine(input: AcceptCase, session: Session, first: Answer, premise?: Answer): Promise<CheckResult> {
    if (await hasEnough(session, first)) return unproved(enough ?? '');
    if (input.isAlone === true && (await lifted(input, session)) === input)
      return unproved(`refused at an ordinary value, too (${refusalInWords(first)})`);
    const second = await sendPersistently(() => sendAlone(session, input.body));
    if (second.success) {
      const because = `refused at first (${refusalInWords(first)}), accepted when sent again`;
      return isCircumstantial(first) || input.learned !== undefined
        ? { ...covering([], [requirementOf(input)]), because }
        : doubtful(judge(first, input), because);
    }
    if (!isClientError(second)) return judge(second, input);
    // Do not spend a creation on a warning or on recognising a locked field.
    const isSurvived = isSparing && survived.has(refusalReason(second));
    if (!isSurvived && (await hasEnough(session))) return unproved(enough ?? '');
    const shown = (premise === undefined ? {} : dataObject(premise)) as Json;
    const lock = isCircumstantial(second) ? await lockOf(input, session, second, shown) : null;
    if (lock !== null) return proofless(lock);
    if (isSurvived && input.level === 'MUST' && (await hasEnough(session))) return unproved(enough ?? '');
    const missing = input.isComplete ? null : await findMissingPart(context, session, second);
    if (missing !== null) return missing;
    const ofCompany = await judgeCompany(input, context, session, second);
    if (ofCompany !== null) return ofCompany;
    const ofRelation = await judgeRelation(input, context, second, body => sendAlone(session, body));
    if (ofRelation !== null) return ofRelation;
    const found = judge(second, await lifted(input, session));
    const unlisted = found.violations.length === 0 ? null : await unlistedName(input, session, accepted);
    const doubt = unlisted ?? (isOfPermission(second, requirementOf(input)) ? permitted : null);
    const judged = doubt === null ? found : doubtful(found, doubt);
    // Do not try again: each further creation would stay too.
    const seen = isSparing && { seen: { times: 2, of: 2 } };
    return { ...judged, violations: judged.violations.map(one => ({ ...one, ...seen })) };
  }

  return {
    send,
    sendAlone,
    hasEnough,
    judge,
    /** Returns why nothing more is sent, or null while the target takes more. */
    enough: (): string | null => enough,
    /** Sends a case; `premise` is the minimal request's accepted answer, if known. */
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
