import { isCircumstantial } from '../../judge/outcome.ts';
import type { Answer } from '../../protocol/answer.ts';

/** So often a request is sent that must be accepted, while circumstances keep refusing it. */
const mostTries = 4;

/**
 * Sends a request that must be accepted, once more where its refusal may lie in the circumstances (see
 * `isCircumstantial`: somebody else edits it, a lock, a limit) and may have passed. What is refused each time is
 * refused; returns the last answer.
 */
export async function sendPersistently(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let tries = 1; tries < mostTries && isCircumstantial(answer); tries += 1) answer = await send();
  return answer;
}
