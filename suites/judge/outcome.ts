import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';
import { refusalInWords } from './refusal-words.ts';

/**
 * Statuses that speak of a plan, a permission, something missing, a conflict, a precondition, a lock or a rate (RFC
 * 9110, 4918, 6585). No request of the suite has a precondition.
 */
const circumstantial: readonly number[] = [402, 403, 404, 409, 412, 423, 429];

/**
 * True if a refusal may lie in the circumstances (a plan, a quota, a lock, a permission), not in the request. The same
 * request without its fault may be refused alike.
 */
export const isCircumstantial = ({ status }: Pick<Answer, 'status'>): boolean => circumstantial.includes(status);

/** True if an answer blames the client (RFC 9110 section 15.5). */
export const isClientError = ({ status }: Pick<Answer, 'status'>): boolean => status >= 400 && status < 500;

/** Judges whether a target survived a request (section 7): it answers in time, over HTTP, with a status below 500. */
export function livenessViolations(answer: Answer): Violation[] {
  const { failure } = answer.reply;
  if (failure?.kind === 'timeout')
    return [violation(answer, 'robust.no-hang', 'connection', 'an answer in time', outcomeOf(answer))];
  if (failure !== null) return [violation(answer, 'robust.no-drop', 'connection', 'an HTTP answer', outcomeOf(answer))];
  if (answer.status >= 500)
    return [violation(answer, 'robust.never-5xx', 'status', 'any status below 500', outcomeOf(answer))];
  return [];
}

/** Judges the answer to a request that must be refused, `because` of what it breaks: neither a 2xx nor a 5xx. */
export function refusalViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  const expected = `a refusal (4xx): ${because}`;
  if (answer.success) return [violation(answer, requirement, 'status', expected, `status ${answer.status}, accepted`)];
  if (answer.reply.failure === null && answer.status >= 500)
    return [violation(answer, 'reject.never-5xx', 'status', expected, `status ${answer.status}`)];
  return livenessViolations(answer);
}

/**
 * Judges the answer to a request that must be accepted, `because` of what it is: anything but a 2xx is a violation. A
 * 5xx breaks a MUST even if a refusal would only be a warning.
 */
export function acceptanceViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  if (answer.success) return [];
  if (answer.reply.failure !== null) return livenessViolations(answer);
  const isFault = answer.status >= 500 && requirementById(requirement).level !== 'MUST';
  const broken = isFault ? 'robust.never-5xx' : requirement;
  return [violation(answer, broken, 'status', `a success: ${because}`, refusalInWords(answer))];
}
