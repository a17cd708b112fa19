import type { Layer } from '../api/combined-hooks.ts';
import type { Fault, Place } from './fault.ts';
import { authenticationFaults } from './rows/authentication.ts';
import { boundFaults } from './rows/bounds.ts';
import { echoFaults } from './rows/echo.ts';
import { enumFaults } from './rows/enums.ts';
import { envelopeFaults } from './rows/envelope.ts';
import { identityFaults } from './rows/identity.ts';
import { messageFaults } from './rows/messages.ts';
import { paginationFaults } from './rows/pagination.ts';
import { patternFaults } from './rows/patterns.ts';
import { requiredFaults } from './rows/required.ts';
import { robustnessFaults } from './rows/robustness.ts';
import { stateFaults } from './rows/state.ts';
import { typeFaults } from './rows/types.ts';

/** The catalogue of faults, by kind. */
// biome-ignore format: a table
export const faultKinds = {
  'envelope': envelopeFaults,
  'messages': messageFaults,
  'types':    typeFaults,
  'identity': identityFaults,
  'bounds': boundFaults,
  'enums': enumFaults,
  'patterns': patternFaults,
  'required': requiredFaults,
  'echo': echoFaults,
  'pagination': paginationFaults,
  'authentication': authenticationFaults,
  'state': stateFaults,
  'robustness': robustnessFaults,
} as const satisfies Record<string, readonly Fault[]>;

/** A kind of fault. */
export type FaultKind = keyof typeof faultKinds;

/** Every fault, in the order of the catalogue. */
export const faults: readonly Fault[] = Object.values(faultKinds).flat();

const byId: ReadonlyMap<string, Fault> = new Map(faults.map(fault => [fault.id, fault]));

/** The fault of an id. A RangeError where there is none. */
export function faultNamed(id: string): Fault {
  const fault = byId.get(id);
  if (fault === undefined) throw new RangeError(`there is no fault called ${id}`);
  return fault;
}

/** The hooks of faults, made anew for one server. A RangeError for an id that none has. */
export const faultHooks = (ids: readonly string[], place: Omit<Place, 'endpoints'>): Layer[] =>
  ids.map(faultNamed).map(({ defect, endpoints }) => ({ ...defect({ ...place, endpoints }), endpoints }));
