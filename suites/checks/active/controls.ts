import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import { isAccepted } from '../../protocol/answer.ts';
import type { Session } from '../../protocol/check.ts';

const accepted = new WeakMap<object, Map<string, Answer>>();

const keyOf = ({ endpoint, param, body }: ApiRequest): string => JSON.stringify([endpoint, param, body]);

/** Returns the accepted requests of a run, keyed by endpoint, parameter and body. */
function known(session: Session): Map<string, Answer> {
  const run = session.run ?? session;
  const answers = accepted.get(run) ?? new Map<string, Answer>();
  accepted.set(run, answers);
  return answers;
}

/** Remembers an accepted request, so that it can be the control of other checks. */
export function noteControl(session: Session, answer: Answer, asked = answer.request): void {
  if (isAccepted(answer)) known(session).set(keyOf(asked), answer);
}

/**
 * Sends a control, unless a check of this run has had the same request accepted. A recheck tells whether it is still
 * accepted after a refusal that may be circumstantial.
 */
export async function sendControl(session: Session, request: ApiRequest): Promise<Answer> {
  const before = known(session).get(keyOf(request));
  if (before !== undefined) return before;
  const answer = await session.send(request);
  noteControl(session, answer, request);
  return answer;
}
