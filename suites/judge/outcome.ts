import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Draft } from '../checks/check.ts';
import { type Answer, outcomeOf } from '../engine/answer.ts';

/** How a request without an HTTP answer, or with a 5xx, breaks the rule that nothing sent may bring a target down; empty when it does not. */
export function livenessDrafts(answer: Answer): Draft[] {
  const { failure } = answer.reply;
  const draft = (requirement: RequirementId, pointer: string, expected: string): Draft[] => [
    { requirement, pointer, expected, actual: outcomeOf(answer), answer },
  ];
  if (failure?.kind === 'timeout') return draft('robust.no-hang', 'connection', 'an answer in time');
  if (failure?.kind === 'garbage') return draft('robust.no-drop', 'connection', 'an HTTP answer');
  if (failure !== null) return draft('robust.no-drop', 'connection', 'an HTTP answer');
  if (answer.status >= 500) return draft('robust.never-5xx', 'status', 'any status below 500');
  return [];
}

/** How an answer to a request that must be refused breaks that rule; empty when it was refused as it should be. */
export function refusalDrafts(answer: Answer, requirement: RequirementId, because: string): Draft[] {
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
  return livenessDrafts(answer);
}

/** How an answer to a request that must be accepted breaks that rule; empty when it was accepted. */
export function acceptanceDrafts(answer: Answer, requirement: RequirementId, because: string): Draft[] {
  if (answer.success) return [];
  if (answer.reply.failure !== null) return livenessDrafts(answer);
  return [
    { requirement, pointer: 'status', expected: `a success: ${because}`, actual: `status ${answer.status}`, answer },
  ];
}
