import { endpoints } from '../../contracts/endpoints.ts';
import { allUnits, isOneShot } from '../checks/units.ts';
import { type CheckContext, isNothingToDo } from '../protocol/check.ts';
import type { DiscoveredState, Target } from '../protocol/sut.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';

/** A check at MUST level that could send nothing, although the minimal request of its endpoint could be made. */
export interface IdleCheck {
  /** `endpoint/check`. */
  readonly id: string;
  readonly because: string;
  readonly remedy?: string;
}

/** The checks that would leave their endpoint incomplete because the target file lacks something. Sends nothing. */
export function idleChecks(target: Target, discovered: DiscoveredState): readonly IdleCheck[] {
  return allUnits().flatMap(({ id, endpoint, check }) => {
    const minimal = minimalRequest(target, discovered, endpoint);
    if (check.kind !== 'active' || check.level !== 'MUST' || isBlockedRequest(minimal)) return [];
    const context: CheckContext = {
      endpoint,
      row: endpoints[endpoint],
      target,
      discovered,
      minimal,
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
