import { byId } from '../decorators/index.ts';
import { type Fault, type FaultTable, faultsOf } from './fault.ts';
import { attemptFaults } from './rows/attempts.ts';
import { authenticationFaults } from './rows/authentication.ts';
import { boundFaults } from './rows/bounds.ts';
import { echoFaults } from './rows/echo.ts';
import { effectFaults } from './rows/effects.ts';
import { enumFaults } from './rows/enums.ts';
import { envelopeFaults } from './rows/envelope.ts';
import { identityFaults } from './rows/identity.ts';
import { keyFaults } from './rows/keys.ts';
import { messageFaults } from './rows/messages.ts';
import { mirrorFaults } from './rows/mirrors.ts';
import { nearMissFaults } from './rows/near-misses.ts';
import { neighbourFaults } from './rows/neighbours.ts';
import { paginationFaults } from './rows/pagination.ts';
import { patternFaults } from './rows/patterns.ts';
import { raceFaults } from './rows/races.ts';
import { requiredFaults } from './rows/required.ts';
import { robustnessFaults } from './rows/robustness.ts';
import { sequelFaults } from './rows/sequels.ts';
import { shownFaults } from './rows/shown.ts';
import { spellingFaults } from './rows/spellings.ts';
import { stateFaults } from './rows/state.ts';
import { storedFaults } from './rows/stored.ts';
import { typeFaults } from './rows/types.ts';
import { valueFaults } from './rows/values.ts';

// biome-ignore format: a table
const tables = {
  'envelope': envelopeFaults,
  'messages': messageFaults,
  'types':    typeFaults,
  'identity': identityFaults,
  'bounds': boundFaults,
  'enums': enumFaults,
  'patterns': patternFaults,
  'near misses': nearMissFaults,
  'required': requiredFaults,
  'echo': echoFaults,
  'values': valueFaults,
  'pagination': paginationFaults,
  'authentication': authenticationFaults,
  'state': stateFaults,
  'races': raceFaults,
  'robustness': robustnessFaults,
  'mirrors': mirrorFaults,
  'neighbours': neighbourFaults,
  'keys': keyFaults,
  'spellings': spellingFaults,
  'effects': effectFaults,
  'stored': storedFaults,
  'attempts': attemptFaults,
  'sequels': sequelFaults,
  'shown': shownFaults,
} as const satisfies Record<string, FaultTable>;

/** A kind of fault. */
export type FaultKind = keyof typeof tables;

/** The catalogue of faults, by kind. */
export const faultKinds = Object.fromEntries(
  Object.entries(tables).map(([kind, table]) => [kind, faultsOf(table)]),
) as unknown as Readonly<Record<FaultKind, readonly Fault[]>>;

/** Every fault, in the order of the catalogue. */
export const faults: readonly Fault[] = Object.values(faultKinds).flat();

/** Returns the fault of an id. Throws a RangeError for an unknown id. */
export const faultNamed = byId(faults, 'fault');
