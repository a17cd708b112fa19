import type { Collection } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { isOneShot, type Unit } from '../checks/units.ts';
import type { Amounts, CheckContext } from '../protocol/check.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import type { Wire } from '../sut/session.ts';
import { type Ending, untested } from './ending.ts';
import type { Snapshot } from './snapshot.ts';

/** What a lane is run with. */
export interface LaneInput {
  readonly lane: Collection;
  readonly units: readonly Unit[];
  /** Units whose passive checks watch although they were not selected (a replayed case is judged whole). */
  readonly passiveUnits: readonly Unit[];
  readonly wire: Wire;
  readonly snapshot: Snapshot;
  readonly amounts: Amounts;
  readonly seed: number;
  readonly path?: string | undefined;
  readonly concurrency: number;
  readonly settleMs: number;
  readonly readOnly: boolean;
  /** True when the time that the run was given is up: no further case is to be begun. */
  isTimeUp(): boolean;
  /** Called with the number of random cases beyond the profile's that were tried; null where the run does not go beyond it. */
  readonly onExtended: ((cases: number) => void) | null;
  emit(event: RunEvent): void;
}

/** What a unit is planned with, or why it cannot be. */
export function contextOf(unit: Unit, input: LaneInput): CheckContext | Ending {
  const { target, token } = input.wire;
  const row = endpoints[unit.endpoint];
  if (input.readOnly && row.method !== 'GET') return untested('the run is read-only', { verdict: 'not-applicable' });
  const minimal = minimalRequest(target, input.snapshot, unit.endpoint);
  if (isBlockedRequest(minimal)) return untested(minimal.because, { remedy: minimal.remedy });
  return {
    endpoint: unit.endpoint,
    row,
    target,
    discovered: input.snapshot,
    minimal,
    amounts: input.amounts,
    token,
    oneShot: isOneShot(unit.endpoint),
    settleMs: input.settleMs,
    readOnly: input.readOnly,
  };
}

/** Tells the two results of `contextOf` apart. */
export const isEnding = (context: CheckContext | Ending): context is Ending => 'verdict' in context;
