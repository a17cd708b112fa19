import { hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type NearChange, nearChanges } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, isKeyRefusal } from '../../protocol/answer.ts';
import { type Change, changed } from '../../protocol/base.ts';
import { type CheckContext, type CheckResult, covering, type Session, unproved } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { minimalRequest } from '../../sut/minimal-request.ts';
import { oneByOne, seekAccepted } from '../../sut/nearest.ts';
import { schemaOf } from './body.ts';
import { asDryRun, createsForGood } from './dry-run.ts';
import { type Inquiry, judgeAll, judgeUnvalidated, ownSubject } from './judged-base.ts';

/** Refusals that are not about the content: about the key, the method, the size, the format of the body. */
const otherwise: ReadonlySet<number> = new Set([401, 405, 410, 411, 413, 414, 415, 426, 431, 451]);

/** Maximum number of changes of a base that are judged one by one. */
const mostJudged = 3;

/** True if a nearby request may be accepted although the smallest is refused. */
export const isSought = (answer: Answer, { row, oneShot }: CheckContext, { bases }: Session): boolean =>
  bases !== undefined &&
  row.body !== null &&
  !oneShot &&
  isClientError(answer) &&
  !isCircumstantial(answer) &&
  !otherwise.has(answer.status);

/** The outcome after the smallest request was refused. */
interface Premise {
  /** The result of the smallest request's case. */
  readonly result: CheckResult;
  /** True if the operation's requests are accepted now, with the changes found. */
  readonly isFound: boolean;
}

/** Opens an inquiry: with dry runs, unless they are accepted unchanged, since then only the real request is refused. */
async function inquire(context: CheckContext, session: Session, declared: readonly Change[]): Promise<Inquiry> {
  const { endpoint, row, target, minimal } = context;
  const own = ownSubject(minimal);
  const sending =
    (isDry: boolean): Inquiry['send'] =>
    ({ param, body }, changes, more = {}) => {
      const whole = changed(changed(body, declared), changes);
      const sent = isDry ? asDryRun(whole) : whole;
      return unlessWithheld(session.send({ endpoint, param, body: sent, asIs: true, ...more }));
    };
  const isDry = hasDryRun(row) && (await sending(true)(own, []))?.success !== true;
  const capabilities = isDry ? { ...target, withheld: () => undefined } : target;
  const near = nearChanges(schemaOf(context), changed(own.body, declared), capabilities);
  return { context, session, declared, near, isDry, send: sending(isDry) };
}

/**
 * Looks for the nearest accepted request after the smallest was refused. The run uses it as the base of all its
 * requests to the operation, and its changes are judged. A refusal at a single fixture, or one that passes, is a
 * circumstance.
 */
export async function openPremise(context: CheckContext, session: Session, refused: Answer): Promise<Premise> {
  const { endpoint, minimal } = context;
  const declared = session.bases?.get(endpoint)?.changes ?? [];
  const inquiry = await inquire(context, session, declared);
  const own = ownSubject(minimal);
  const order = createsForGood(context) && !inquiry.isDry ? [oneByOne, 1] : undefined;
  const untried = new Set(inquiry.near.unnamed);
  const send = async (some: readonly NearChange[]): Promise<Answer | null> => {
    const answer = await inquiry.send(own, some);
    for (const { field } of some) untried[answer === null ? 'add' : 'delete'](field);
    return answer;
  };
  const { changes, isLeast, tried } = await seekAccepted(refused, inquiry.near, send, order);
  if ((await inquiry.send(own, []))?.success === true) {
    const because = `refused at first (${refusalInWords(refused)}), accepted when sent again`;
    // Discard the conclusions from the refusal.
    session.bases?.set(endpoint, { changes: declared, isJudged: true });
    return { result: { ...covering([], []), because }, isFound: true };
  }
  const was = `the minimal request was refused (${refusalInWords(refused)})`;
  if (changes === null) {
    const rest =
      untried.size === 0 ? '' : `; not tried, for want of a value or of a way back: ${[...untried].join(', ')}`;
    const lost = `the minimal request was refused (${tried}${rest})`;
    session.bases?.set(endpoint, { changes: declared, lost });
    return { result: unproved(lost), isFound: false };
  }
  session.bases?.set(endpoint, { changes: [...declared, ...changes], isJudged: true });
  if (changes.some(({ field }) => field === 'skip_validation'))
    return { result: await judgeUnvalidated(inquiry, changes, was), isFound: true };
  if (!isLeast || changes.length > mostJudged) {
    const fields = changes.map(({ field }) => field).join(', ');
    return { result: unproved(`${was}, and accepted with a change of ${fields}`), isFound: true };
  }
  return { result: await judgeAll(inquiry, changes, was), isFound: true };
}

/** Disables a config that could not be archived and archives it then: a service may demand that. Null: in vain. */
export async function archivedAfterDisabling(
  { row, target, discovered, minimal: { param } }: CheckContext,
  session: Session,
  refused: Answer,
): Promise<Answer | null> {
  if (!isOperation(row, 'config', 'archive') || !isClientError(refused) || isKeyRefusal(refused)) return null;
  const disabling = minimalRequest(target, discovered, 'disable-config', param);
  const disabled = await unlessWithheld(session.send({ endpoint: 'disable-config', ...disabling }));
  const archived = disabled?.success === true ? await unlessWithheld(session.send(refused.request)) : null;
  return archived?.success === true ? archived : null;
}

/** Judges a base that was found before any case was sent, because a gate must be read first. */
export async function judgeBase(context: CheckContext, session: Session): Promise<CheckResult | undefined> {
  const { endpoint } = context;
  const base = session.bases?.get(endpoint);
  if (base === undefined || base.isJudged === true || base.changes.length === 0) return undefined;
  session.bases?.set(endpoint, { ...base, isJudged: true });
  const inquiry = await inquire(context, session, []);
  const changes = inquiry.near.more.filter(one => base.changes.some(({ pointer }) => pointer === one.pointer));
  // Changes of members that the minimal request already has.
  const own = base.changes.filter(({ pointer }) => !changes.some(one => one.pointer === pointer));
  const asAdded = own.map((one): NearChange => ({ ...one, field: steps(one.pointer).join('.'), isFree: true }));
  return judgeAll(inquiry, [...changes, ...asAdded], 'the gate could not be read without it');
}
