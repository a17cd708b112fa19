import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/violation.ts';

/** How a request without an HTTP answer, or with a 5xx, breaks the rule that nothing sent may bring a target down; empty when it does not. */
export function livenessViolations(answer: Answer): Violation[] {
  const { failure } = answer.reply;
  if (failure?.kind === 'timeout')
    return [violation(answer, 'robust.no-hang', 'connection', 'an answer in time', outcomeOf(answer))];
  if (failure !== null) return [violation(answer, 'robust.no-drop', 'connection', 'an HTTP answer', outcomeOf(answer))];
  if (answer.status >= 500)
    return [violation(answer, 'robust.never-5xx', 'status', 'any status below 500', outcomeOf(answer))];
  return [];
}

/** How an answer to a request that must be refused breaks that rule; empty when it was refused as it should be. */
export function refusalViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  const expected = `a refusal (4xx): ${because}`;
  if (answer.success) return [violation(answer, requirement, 'status', expected, `status ${answer.status}, accepted`)];
  if (answer.reply.failure === null && answer.status >= 500)
    return [violation(answer, 'reject.never-5xx', 'status', expected, `status ${answer.status}`)];
  return livenessViolations(answer);
}

/** How an answer to a request that must be accepted breaks that rule; empty when it was accepted. */
export function acceptanceViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  if (answer.success) return [];
  if (answer.reply.failure !== null) return livenessViolations(answer);
  return [violation(answer, requirement, 'status', `a success: ${because}`, `status ${answer.status}`)];
}
