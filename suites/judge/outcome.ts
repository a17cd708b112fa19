import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import type { Violation } from '../protocol/violation.ts';

/** How a request without an HTTP answer, or with a 5xx, breaks the rule that nothing sent may bring a target down; empty when it does not. */
export function livenessViolations(answer: Answer): Violation[] {
  const { failure } = answer.reply;
  const violation = (requirement: RequirementId, pointer: string, expected: string): Violation[] => [
    { requirement, pointer, expected, actual: outcomeOf(answer), answer },
  ];
  if (failure?.kind === 'timeout') return violation('robust.no-hang', 'connection', 'an answer in time');
  if (failure?.kind === 'garbage') return violation('robust.no-drop', 'connection', 'an HTTP answer');
  if (failure !== null) return violation('robust.no-drop', 'connection', 'an HTTP answer');
  if (answer.status >= 500) return violation('robust.never-5xx', 'status', 'any status below 500');
  return [];
}

/** How an answer to a request that must be refused breaks that rule; empty when it was refused as it should be. */
export function refusalViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  if (answer.success) {
    return [
      {
        requirement,
        pointer: 'status',
        expected: `a refusal (4xx): ${because}`,
        actual: `status ${answer.status}, accepted`,
        answer,
      },
    ];
  }
  if (answer.reply.failure === null && answer.status >= 500) {
    return [
      {
        requirement: 'reject.never-5xx',
        pointer: 'status',
        expected: `a refusal (4xx): ${because}`,
        actual: `status ${answer.status}`,
        answer,
      },
    ];
  }
  return livenessViolations(answer);
}

/** How an answer to a request that must be accepted breaks that rule; empty when it was accepted. */
export function acceptanceViolations(answer: Answer, requirement: RequirementId, because: string): Violation[] {
  if (answer.success) return [];
  if (answer.reply.failure !== null) return livenessViolations(answer);
  return [
    { requirement, pointer: 'status', expected: `a success: ${because}`, actual: `status ${answer.status}`, answer },
  ];
}
