import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { largerProfile } from '../../../contracts/report/remedies.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import type { Base } from '../../protocol/base.ts';
import { type CheckContext, minimalApiRequest, type NothingToDo, type Session } from '../../protocol/check.ts';

/** True of an operation each of whose successes leaves something that the API cannot take away. */
export const createsForGood = ({ row }: Pick<CheckContext, 'row'>): boolean => row.effect === 'additive';

/** A body that says that nothing is to be persisted (section 4.9). */
export const asDryRun = (body: JsonObject): JsonObject => ({ ...body, dryRun: true });

/**
 * Finds out, once per check, whether creations can be tried without leaving anything: by the minimal request as a dry
 * run. Gives its answer where the target accepts it and shows what it would create; undefined elsewhere.
 */
export function dryRuns(context: CheckContext): (session: Session) => Promise<Answer | undefined> {
  let asked: { readonly base: Base | undefined; readonly answer: Promise<Answer> } | undefined;
  return async session => {
    if (!createsForGood(context) || !hasDryRun(context.row)) return undefined;
    const base = session.bases?.get(context.endpoint);
    if (asked === undefined || asked.base !== base)
      asked = { base, answer: session.send(minimalApiRequest(context, asDryRun(context.minimal.body ?? {}))) };
    const answer = await asked.answer;
    return answer.success && Object.keys(dataObject(answer)).length > 0 ? answer : undefined;
  };
}

/** True of a field of which no answer tells what it is now, where the operation can be tried without effect instead. */
export function isLost(field: string, { endpoint, row, minimal, discovered: { writable } }: CheckContext): boolean {
  if (writable === undefined || !hasDryRun(row) || !writable.triesDry(endpoint, minimal.param)) return false;
  return writable.field(endpoint, minimal.param, field) !== undefined;
}

/**
 * A body as a dry run, where it carries a field of which no answer tells what it is now, so that it could not be put
 * back, and the operation can be tried without effect; else as it is.
 */
export const withoutLoss = (body: JsonObject, context: CheckContext): JsonObject =>
  Object.keys(body).some(field => isLost(field, context)) ? asDryRun(body) : body;

/** Why nothing is sent of what each time leaves something behind, where a run may create little. */
export const leavesTooMuch: NothingToDo = {
  because: 'sent in a larger profile only, as each leaves something that the API cannot take away',
  remedy: largerProfile,
};
