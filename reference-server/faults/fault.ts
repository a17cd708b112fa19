import type { EndpointId } from '../../contracts/endpoints.ts';
import { profiles as profileNames } from '../../contracts/report/choices.ts';
import type { Profile } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Decorator, Operator, Variation } from '../decorators/layers.ts';

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

/**
 * A fault as a row of a table: id, operations, broken requirement, title, decorator. Then optionally the smallest
 * profile that finds it, and other requirements that it necessarily breaks. An `Operator` replaces the title.
 */
export type FaultRow =
  | readonly [
      id: string,
      operations: EndpointId | readonly EndpointId[],
      requirement: RequirementId,
      title: string,
      decorator: Decorator,
      ...also: readonly Also[],
    ]
  | readonly [
      id: string,
      operations: EndpointId | readonly EndpointId[],
      requirement: RequirementId,
      operator: Operator,
      ...also: readonly Also[],
    ];

/** A row of one place: a `FaultRow` without its operations and its requirement. */
export type PlacedRow =
  | readonly [id: string, title: string, decorator: Decorator, ...also: readonly Also[]]
  | readonly [id: string, operator: Operator, ...also: readonly Also[]];

/** Returns the rows of a place: operations, the requirement that the rows break there, and what all of them break also. */
export const at = (
  operations: EndpointId | readonly EndpointId[],
  requirement: RequirementId,
  rows: readonly PlacedRow[],
  ...alsoAll: readonly Also[]
): readonly FaultRow[] =>
  rows.map(([id, ...how]) => [id, operations, requirement, ...how, ...alsoAll] as unknown as FaultRow);

/** The rows of one file of the catalogue. */
export type FaultTable = readonly (FaultRow | Fault)[];

const profiles: ReadonlySet<string> = new Set(profileNames);
const isProfile = (also: Also): also is Profile => profiles.has(also);

/** Returns the fault of a row. */
export function faultOf(row: FaultRow | Fault): Fault {
  if (!('length' in row)) return row;
  const [id, operations, requirement, ...how] = row;
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
}
