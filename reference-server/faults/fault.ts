import type { EndpointId } from '../../contracts/endpoints.ts';
import { profiles as profileNames } from '../../contracts/report/choices.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Decorator, Operator, Variation } from '../decorators/index.ts';

/** One defect of a server. The title is a sentence that describes it. */
export interface Fault extends Variation {
  /** The requirement that it breaks. */
  readonly requirement: RequirementId;
  /** Requirements that it necessarily breaks as well, and by which it may be found. */
  readonly alsoAs?: readonly RequirementId[];
  /** The smallest profile that finds it; absent: quick. */
  readonly profile?: Profile;
  /** Why the suite does not find it yet. */
  readonly missed?: string;
  /** The operations that have it. */
  readonly endpoints: readonly EndpointId[];
}

type Also = RequirementId | Profile;
type Operations = EndpointId | readonly EndpointId[];

/**
 * What a fault is: a title and a decorator, or an `Operator`, which says itself what it does; then optionally the
 * smallest profile that finds it, and other requirements that it necessarily breaks.
 */
type How =
  | readonly [title: string, decorator: Decorator, ...also: readonly Also[]]
  | readonly [operator: Operator, ...also: readonly Also[]];

/** A fault as a row of a table: id, operations, broken requirement, and what it is. */
export type FaultRow = readonly [id: string, operations: Operations, requirement: RequirementId, ...how: How];

/** Rows of one place: their operations, the requirement that they break there, and what all of them break also. */
type FaultGroup = readonly [
  operations: Operations,
  requirement: RequirementId,
  rows: readonly (readonly [id: string, ...how: How])[],
  ...also: readonly Also[],
];

/** The rows of one file of the catalogue. */
export type FaultTable = readonly (FaultRow | FaultGroup)[];

const profiles: ReadonlySet<string> = new Set(profileNames);
const isProfile = (also: Also): also is Profile => profiles.has(also);

const faultOf = (id: string, operations: Operations, requirement: RequirementId, how: How): Fault => {
  const [title, decorator, ...also] = (typeof how[0] === 'string' ? how : [how[0].does, ...how]) as [
    string,
    Decorator,
    ...Also[],
  ];
  const profile = also.find(isProfile);
  const alsoAs = also.filter(one => !isProfile(one)) as RequirementId[];
  return {
    id,
    requirement,
    endpoints: typeof operations === 'string' ? [operations] : operations,
    title,
    decorator,
    ...(profile !== undefined && { profile }),
    ...(alsoAs.length > 0 && { alsoAs }),
  };
};

const isGroup = (row: FaultRow | FaultGroup): row is FaultGroup => Array.isArray(row[2]);

/** Returns the faults of a table, in its order. */
export const faultsOf = (table: FaultTable): readonly Fault[] =>
  table.flatMap(row => {
    if (!isGroup(row)) {
      const [id, operations, requirement, ...how] = row;
      return faultOf(id, operations, requirement, how);
    }
    const [operations, requirement, rows, ...alsoAll] = row;
    return rows.map(([id, ...how]) => faultOf(id, operations, requirement, [...how, ...alsoAll] as unknown as How));
  });
