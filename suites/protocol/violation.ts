import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Answer } from './answer.ts';

/** A broken requirement, before it is grouped, confirmed and given its evidence. */
export interface Violation {
  readonly requirement: RequirementId;
  /** JSON Pointer into the answer, or `status`, `connection`, `header NAME`, `body` outside it. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  readonly answer: Answer;
}

/** Makes the violation of a requirement that an answer shows at a place; `expected` and `actual` are in words. */
export const violation = (
  answer: Answer,
  requirement: RequirementId,
  pointer: string,
  expected: string,
  actual: string,
): Violation => ({ requirement, pointer, expected, actual, answer });
