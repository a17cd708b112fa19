import { isCircumstantial } from '../../judge/outcome.ts';
import type { Answer } from '../../protocol/answer.ts';

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
