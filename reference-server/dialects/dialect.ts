import type { Capability } from '../../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Variation } from '../decorators/layers.ts';

/**
 * A correct way for a server to differ: where the specification is silent, or where a service is stricter in meaning
 * than any schema can say. A suite must accuse none of them. The title says what the server does: "answers …".
 */
export interface Dialect extends Variation {
  /** The sections of the specification that leave it open. */
  readonly section: string;
  /** The requirements that it breaks: those of level SHOULD alone, each of which draws a warning. */
  readonly warns?: readonly RequirementId[];
  /** The checks (`endpoint/check`) that cannot be carried out against it. */
  readonly untested?: readonly string[];
  /** The features that it still has, where it lacks some of those that a target file declares. */
  readonly capabilities?: readonly Capability[];
  /** Why the suite wrongly accuses it as things stand. */
  readonly accused?: string;
}

/** The operations that list. */
export const lists: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].list);

/** The operations that have a body. */
export const withBody: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].body !== null);
