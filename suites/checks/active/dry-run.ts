import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { largerProfile } from '../../../contracts/report/remedies.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, dataObject, isKeyRefusal } from '../../protocol/answer.ts';
import type { Base } from '../../protocol/base.ts';
import {
  type CheckContext,
  minimalApiRequest,
  type NothingToDo,
  type Session,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { templateOf } from './body.ts';

/** True if each success of the operation leaves something that the API cannot remove. */
export const createsForGood = ({ row }: Pick<CheckContext, 'row'>): boolean => row.effect === 'additive';

/** Returns the body with the flag that nothing is to be persisted (section 4.9). */
export const asDryRun = (body: JsonObject): JsonObject => ({ ...body, dryRun: true });

/**
 * Makes a function that tests, once per check, whether creations can be tried as dry runs. It returns the answer to the
 * minimal request as a dry run if the target accepts it and shows the entity, else undefined.
 */
export function dryRuns(context: CheckContext): (session: Session) => Promise<Answer | undefined> {
  let asked: { readonly base: Base | undefined; readonly answer: Promise<Answer> } | undefined;
  return async session => {
    if (!createsForGood(context) || !hasDryRun(context.row)) return undefined;
    const base = session.bases?.get(context.endpoint);
    if (asked === undefined || asked.base !== base)
      asked = { base, answer: session.send(minimalApiRequest(context, asDryRun(templateOf(context)))) };
    const answer = await asked.answer;
    return answer.success && Object.keys(dataObject(answer)).length > 0 ? answer : undefined;
  };
}

/**
 * Judges a dry run that is refused although its request is accepted for real: `dryRun` is a field of these operations
 * (sections 4.3 and 4.9). A dry run may examine more than the request for real, so there is a doubt unless the refusal
 * names the field. Returns null unless it is refused twice.
 */
export async function refusedDryRun(
  session: Session,
  refused: Answer,
  isAccepted: () => Promise<boolean>,
): Promise<Violation | null> {
  const isOfInput = (answer: Answer): boolean =>
    isClientError(answer) && !isCircumstantial(answer) && !isKeyRefusal(answer);
  if (!isOfInput(refused) || !(await isAccepted())) return null;
  const about = { title: 'dryRun: true', pointer: '/dryRun', sent: true };
  const again = await session.send({ ...refused.request, about });
  if (!isOfInput(again)) return null;
  const expected = 'a success, as without dryRun';
  const found = violation(again, 'accept.stated-boundary', 'status', expected, refusalInWords(again));
  const isNamed = /dry_?run/i.test(refusalInWords(again));
  return isNamed ? found : { ...found, doubt: 'the refusal may be about what a dry run alone examines' };
}

/** True if no answer shows the present value of a field, and the operation can be tried as a dry run instead. */
export function isLost(field: string, { endpoint, row, minimal, discovered: { writable } }: CheckContext): boolean {
  if (writable === undefined || !hasDryRun(row) || !writable.triesDry(endpoint, minimal.param)) return false;
  return writable.field(endpoint, minimal.param, field) !== undefined;
}

/**
 * Returns the body as a dry run if it has a field whose present value is unknown, and so could not be put back.
 * Otherwise returns it unchanged.
 */
export const withoutLoss = (body: JsonObject, context: CheckContext): JsonObject =>
  Object.keys(body).some(field => isLost(field, context)) ? asDryRun(body) : body;

/** The reason for not sending requests that each leave something, in a run that may create little. */
export const leavesTooMuch: NothingToDo = {
  because: 'sent in a larger profile only, as each leaves something that the API cannot take away',
  remedy: largerProfile,
};
