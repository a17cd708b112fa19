import { endpoints } from '../../contracts/endpoints.ts';
import type { CheckContext } from '../checks/check.ts';
import { isNothingToDo } from '../checks/check.ts';
import { isBlockedRequest, type Learned, plainRequest } from '../target/plain-request.ts';
import type { Target } from '../target/world.ts';
import { allUnits, isOneShot } from './plan.ts';

/** A check at MUST level that could send nothing, although the plain request of its endpoint could be made. */
export interface IdleCheck {
  /** `endpoint/check`. */
  readonly id: string;
  readonly because: string;
  readonly remedy?: string;
}

/** The checks that would leave their endpoint incomplete for want of something in the target file: each is planned, nothing is sent. */
export function idleChecks(target: Target, learned: Learned): readonly IdleCheck[] {
  return allUnits().flatMap(({ id, endpoint, check }) => {
    const plain = plainRequest(target, learned, endpoint);
    if (check.kind !== 'active' || check.level !== 'MUST' || isBlockedRequest(plain)) return [];
    const context: CheckContext = {
      endpoint,
      row: endpoints[endpoint],
      target,
      learned,
      plain,
      amounts: { fuzz: 1, enumerated: 1, walks: 1 },
      token: 'forecast',
      oneShot: isOneShot(endpoint),
      settleMs: 0,
      readOnly: false,
    };
    const plan = check.plan(context);
    if (!isNothingToDo(plan)) return [];
    return [{ id, because: plan.because, ...(plan.remedy === undefined ? {} : { remedy: plan.remedy }) }];
  });
}
