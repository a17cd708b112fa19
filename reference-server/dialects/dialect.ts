import type { Capability } from '../../contracts/dialect.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Layer } from '../api/combined-hooks.ts';

/**
 * A correct way for a server to differ: where the specification is silent, or where a service is stricter in annotation than any schema can
 * say. A suite must accuse none of them.
 */
export interface Dialect extends Layer {
  readonly id: string;
  /** What the server does, as one would say it of a service: "answers …". */
  readonly title: string;
  /** The sections of the specification that leave it open. */
  readonly section: string;
  /** The rows of the ledger that it breaks: SHOULD rows only, each of which it does draw. */
  readonly warns?: readonly RequirementId[];
  /** The checks (`endpoint/check`) that cannot be carried out against it. */
  readonly untested?: readonly string[];
  /** The features that it still has, where it lacks some of those that a target file declares. */
  readonly capabilities?: readonly Capability[];
  /** Why the suite wrongly accuses it as things stand. */
  readonly accused?: string;
}
