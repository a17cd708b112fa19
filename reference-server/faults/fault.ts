import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Variation } from '../decorators/layers.ts';

/** One thing that a server can do wrong. The title is a sentence that says what. */
export interface Fault extends Variation {
  /** The requirement that it breaks. */
  readonly requirement: RequirementId;
  /** Requirements that it cannot help breaking as well, and by which it may be found. */
  readonly alsoAs?: readonly RequirementId[];
  /** The smallest profile that finds it; quick when absent. */
  readonly profile?: Profile;
  /** Why the suite does not find it as things stand. */
  readonly missed?: string;
  /** The operations that have it. */
  readonly endpoints: readonly EndpointId[];
}

/** What a file of the catalogue holds. */
export type FaultTable = readonly Fault[];
