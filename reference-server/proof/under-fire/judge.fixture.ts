import { answerSchema } from '../../../contracts/endpoints.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import type { RawAnswer } from './answers.fixture.ts';
import type { Attack } from './attack.fixture.ts';

/** Texts that disclose the inside of a server. */
const inside = /\bat .+:\d+:\d+|node_modules|\.[cm]?[jt]s:\d|(Type|Range|Syntax|Reference)Error/;

const bodyProblem = ({ status, body }: RawAnswer, { endpoint, method }: Attack): string | undefined => {
  if (method === 'HEAD' || status === 204) return body === '' ? undefined : 'has a body';
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(body);
  } catch {
    return `is not JSON: ${body.slice(0, 100)}`;
  }
  if (status >= 400) {
    if (json.status !== status || typeof json.message !== 'string' || json.message === '')
      return `is no refusal: ${body.slice(0, 100)}`;
    return inside.test(body) ? `tells of the inside: ${body.slice(0, 300)}` : undefined;
  }
  if (endpoint === undefined)
    return 'message' in json && 'data' in json ? undefined : `is no envelope: ${body.slice(0, 100)}`;
  const [problem] = validatorFor(answerSchema(endpoint))(json);
  return problem && `breaks the contract: ${problem.pointer} ${problem.message}`;
};

/** What is wrong with an answer, whatever was asked; undefined when it is as it should be. */
export const problemOf = (answer: RawAnswer, attack: Attack): string | undefined => {
  const { status, headers } = answer;
  if (!attack.statuses.includes(status))
    return `has status ${status} instead of ${attack.statuses.join(', ')}: ${answer.body.slice(0, 100)}`;
  const type = headers.get('content-type');
  if (status !== 204 && attack.method !== 'HEAD' && type !== 'application/json; charset=utf-8')
    return `is of type ${type}`;
  return bodyProblem(answer, attack);
};
