import type { EndpointId } from '../../contracts/endpoint.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Hooks } from '../api/hooks.ts';

/** Where a defect sits: the operations that have it, and what a defect of the key check has to know. */
export interface Place {
  readonly endpoints: readonly EndpointId[];
  readonly apiKey: string;
  readonly naming: Naming;
}

/**
 * Makes the hooks of a defect, anew for each server: what it counts or remembers is that server's own. Those that belong to an operation are bound to
 * the operations of the fault by the catalogue.
 */
export type Defect = (place: Place) => Hooks;

/** One thing that a server can do wrong. */
export interface Fault {
  /** Stable: command lines and reports name it. */
  readonly id: string;
  /** The row of the ledger that it breaks. */
  readonly requirement: RequirementId;
  /** Rows that it cannot help breaking as well. */
  readonly alsoAs?: readonly RequirementId[];
  /** The smallest profile that shows it; quick when absent. */
  readonly profile?: Profile;
  /** Why the suite does not see it as things stand. */
  readonly missed?: string;
  /** The operations that have it. */
  readonly endpoints: readonly EndpointId[];
  /** One sentence: what the server does wrong. */
  readonly title: string;
  readonly defect: Defect;
}

/** What a file of the catalogue holds. */
export type FaultTable = readonly Fault[];
