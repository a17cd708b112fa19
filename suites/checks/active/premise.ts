import { hasDryRun } from '../../../contracts/endpoint.ts';
import { steps } from '../../../contracts/pointer.ts';
import { type NearChange, nearChanges } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import { type Change, changed } from '../../protocol/base.ts';
import { type CheckContext, type CheckResult, covering, type Session, unproved } from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { oneByOne, seekAccepted } from '../../sut/nearest.ts';
import { asDryRun, createsForGood } from './dry-run.ts';
import { type Inquiry, judgeAll, judgeUnvalidated } from './judged-base.ts';

/** Refusals that say nothing of what was sent: of the key, the method, the size, the form of the body. */
const otherwise: ReadonlySet<number> = new Set([401, 405, 410, 411, 413, 414, 415, 426, 431, 451]);

/** So many changes of a base are judged one by one. */
const mostJudged = 3;

/** True of the refusal of a smallest request for which there may be a nearest request that is accepted. */
export const isSought = (answer: Answer, { row, oneShot }: CheckContext, { bases }: Session): boolean =>
  bases !== undefined &&
  row.body !== null &&
  !oneShot &&
  isClientError(answer) &&
  !isCircumstantial(answer) &&
  !otherwise.has(answer.status);

/** What the refusal of a smallest request came to. */
interface Premise {
  /** What the case of the smallest request shows. */
  readonly result: CheckResult;
  /** True where the requests of the operation are accepted now, with what was found. */
  readonly isFound: boolean;
}

/** Opens an inquiry: with dry runs, unless those are accepted as they are, so that what is refused is the real thing. */
async function inquire(context: CheckContext, session: Session, declared: readonly Change[]): Promise<Inquiry> {
  const { endpoint, row, target, minimal } = context;
  const own = { param: minimal.param, body: minimal.body ?? {} };
  const sending =
    (isDry: boolean): Inquiry['send'] =>
    ({ param, body }, changes, more = {}) => {
      const whole = changed(changed(body, declared), changes);
      const sent = isDry ? asDryRun(whole) : whole;
      return unlessWithheld(session.send({ endpoint, param, body: sent, asIs: true, ...more }));
    };
  const isDry = hasDryRun(row) && (await sending(true)(own, []))?.success !== true;
  const capabilities = isDry ? { ...target, withheld: () => undefined } : target;
  const near = nearChanges(row.body ?? { type: 'object' }, changed(own.body, declared), capabilities);
  return { context, session, declared, near, isDry, send: sending(isDry) };
}

/**
 * Looks for the nearest request that is accepted where the smallest was refused, makes it the base of all that the run
 * sends to the operation, and judges what it differs in. What only one fixture refuses, and what goes away, is a
 * circumstance.
 */
export async function openPremise(context: CheckContext, session: Session, refused: Answer): Promise<Premise> {
  const { endpoint, minimal } = context;
  const declared = session.bases?.get(endpoint)?.changes ?? [];
  const inquiry = await inquire(context, session, declared);
  const own = { param: minimal.param, body: minimal.body ?? {} };
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
    // What was learned of its refusal is learned anew.
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

/** Judges the base of an operation that was found before any case of it was sent: a gate has to be read first. */
export async function judgeBase(context: CheckContext, session: Session): Promise<CheckResult | undefined> {
  const { endpoint } = context;
  const base = session.bases?.get(endpoint);
  if (base === undefined || base.isJudged === true || base.changes.length === 0) return undefined;
  session.bases?.set(endpoint, { ...base, isJudged: true });
  const inquiry = await inquire(context, session, []);
  const changes = inquiry.near.more.filter(one => base.changes.some(({ pointer }) => pointer === one.pointer));
  // The minimal request has it already.
  const own = base.changes.filter(({ pointer }) => !changes.some(one => one.pointer === pointer));
  const asAdded = own.map((one): NearChange => ({ ...one, field: steps(one.pointer).join('.'), isFree: true }));
  return judgeAll(inquiry, [...changes, ...asAdded], 'the gate could not be read without it');
}
