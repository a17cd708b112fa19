import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/violation.ts';

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

/** Judges the answer to a request that must be refused, `because` of what it breaks: not a 2xx, and not a 5xx. */
export function refusalViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  const expected = `a refusal (4xx): ${because}`;
  if (answer.success) return [violation(answer, requirement, 'status', expected, `status ${answer.status}, accepted`)];
  if (answer.reply.failure === null && answer.status >= 500)
    return [violation(answer, 'reject.never-5xx', 'status', expected, `status ${answer.status}`)];
  return livenessViolations(answer);
}

/** Judges the answer to a request that must be accepted, `because` of what it is: anything but a 2xx is a violation. */
export function acceptanceViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  if (answer.success) return [];
  if (answer.reply.failure !== null) return livenessViolations(answer);
  return [violation(answer, requirement, 'status', `a success: ${because}`, `status ${answer.status}`)];
}
