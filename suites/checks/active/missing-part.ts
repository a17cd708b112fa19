import { isObject, type JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type NearChange, nearChanges } from '../../generators/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import { type Bases, changed } from '../../protocol/base.ts';
import { type CheckContext, type CheckResult, covering, type Session } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { seekAccepted } from '../../sut/nearest.ts';
import { createsForGood } from './dry-run.ts';
import { isRefusal, openRequirementOf } from './judged-base.ts';
import { isSought } from './premise.ts';

/** The parts already examined in a run, as `OPERATION POINTER`: each is tried once. */
const looked = memoized((_bases: Bases) => new Set<string>());

/**
 * Looks for missing parts of objects that make a valid request be refused. No section says which parts such an object
 * must have. A part that helps is therefore observed, not judged, and added to all later requests of the run. Returns
 * null if the refusal has another reason.
 */
export async function findMissingPart(
  context: CheckContext,
  session: Session,
  refused: Answer,
): Promise<CheckResult | null> {
  const { endpoint, row, target } = context;
  const { bases } = session;
  const { body } = refused.request;
  if (
    refused.request.endpoint !== endpoint ||
    bases === undefined ||
    row.body === null ||
    !isObject(body) ||
    !isSought(refused, context, session)
  )
    return null;
  const own = body as JsonObject;
  // Each accepted request would leave something.
  if (createsForGood(context) && own.dryRun !== true) return null;
  const known = looked(bases);
  const isPart = ({ pointer }: NearChange): boolean =>
    steps(pointer).length > 1 && !known.has(`${endpoint} ${pointer}`);
  const parts = nearChanges(row.body, own, target).more.filter(isPart);
  if (parts.length === 0) return null;
  for (const { pointer } of parts) known.add(`${endpoint} ${pointer}`);
  const send = (changes: readonly NearChange[], more: Partial<ApiRequest> = {}) =>
    unlessWithheld(session.send({ ...refused.request, body: changed(own, changes), asIs: true, ...more }));
  const { changes } = await seekAccepted(refused, { more: parts, less: [], other: [] }, some => send(some));
  if (changes === null || !isRefusal(await send([]))) return null;
  for (const one of changes) {
    const asks = { requirement: openRequirementOf(endpoint), subject: `a request without ${one.field}` };
    const without = changes.filter(other => other !== one);
    await send(without, { asks });
  }
  if ((await send(changes))?.success !== true) return null;
  const base = bases.get(endpoint) ?? { changes: [], isJudged: true as const };
  bases.set(endpoint, { ...base, changes: [...base.changes, ...changes] });
  const fields = changes.map(({ field }) => field).join(', ');
  return { ...covering([], []), because: `refused (${refusalInWords(refused)}); with ${fields} it is accepted` };
}
