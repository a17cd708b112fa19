import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { isCircumstantial } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isAccepted } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, type Session } from '../../protocol/check.ts';
import { count } from '../../protocol/entries.ts';
import { unlessWithheld } from '../../protocol/stop.ts';

/** The accepted requests of a run, keyed by endpoint, parameter and body. */
const accepted = memoized((_run: object) => new Map<string, Answer>());

const keyOf = ({ endpoint, param, body }: ApiRequest): string => JSON.stringify([endpoint, param, body]);

/** Remembers an accepted request, so that it can be the control of other checks. */
export function noteControl(session: Session, answer: Answer, asked = answer.request): void {
  if (isAccepted(answer)) accepted(session.run ?? session).set(keyOf(asked), answer);
}

/** True if this request was accepted earlier in the run, as far as `noteControl` was told. */
export const wasAccepted = (session: Session, asked: ApiRequest): boolean =>
  accepted(session.run ?? session).has(keyOf(asked));

/**
 * Sends a control, unless a check of this run has had the same request accepted. A recheck tells whether it is still
 * accepted after a refusal that may be circumstantial.
 */
export async function sendControl(session: Session, request: ApiRequest): Promise<Answer> {
  const before = accepted(session.run ?? session).get(keyOf(request));
  if (before !== undefined) return before;
  const answer = await session.send(request);
  noteControl(session, answer, request);
  return answer;
}

/** Maximum number of tries while circumstances keep refusing a request. */
const mostTries = 4;

/**
 * Sends a request that must be accepted, again while its refusal may be circumstantial (an edit by somebody else, a
 * lock, a limit). Returns the last answer. See `isCircumstantial`.
 */
export async function sendPersistently(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let tries = 1; tries < mostTries && isCircumstantial(answer); tries += 1) answer = await send();
  return answer;
}

/**
 * Brings the subject into the state in which the minimal request must succeed. Disabling a disabled gate may be refused
 * (section 3 makes its repetition a SHOULD), so the gate is enabled first.
 */
export async function prepare({ row, minimal }: CheckContext, session: Session): Promise<void> {
  if (isOperation(row, 'gate', 'disable'))
    await session.send({ endpoint: 'patch-gate', param: minimal.param, body: { isEnabled: true } });
}

/** Prepares the subject and sends the minimal request, or another body if given. */
export async function sendPrepared(context: CheckContext, session: Session, body?: JsonObject): Promise<Answer> {
  await prepare(context, session);
  return session.send(minimalApiRequest(context, body));
}

/** Returns why a refusal proves nothing (its control is refused now), or null if it proves something. */
export type Recheck = (refused: Answer, sendControl: () => Promise<Answer>) => Promise<string | null>;

/**
 * Makes the recheck of a check. A refusal that may be circumstantial (see `isCircumstantial`) proves something only
 * while the control is accepted. So the control is sent again: at the first refusal with the same words, then ever more
 * rarely (the second, the fourth, the eighth …).
 * @param most maximum number of repeated controls: few if each creates something that stays.
 */
export function createRecheck(most = Number.POSITIVE_INFINITY): Recheck {
  const times = new Map<string, number>();
  let left = most;
  let lost: { readonly status: number; readonly because: string } | null = null;
  return async (refused, sendControl) => {
    if (!isCircumstantial(refused)) return null;
    if (lost !== null) return refused.status === lost.status ? lost.because : null;
    const words = refusalInWords(refused);
    const time = count(times, words);
    if (!Number.isInteger(Math.log2(time)) || left <= 0) return null;
    left -= 1;
    const answer = await unlessWithheld(sendControl());
    if (answer === null || answer.success) return null;
    const because = `its control, accepted before, is refused now (${refusalInWords(answer)}), so a refusal proves nothing`;
    lost = { status: answer.status, because };
    return because;
  };
}
