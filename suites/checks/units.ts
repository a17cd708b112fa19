import type { Collection } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow, endpoints } from '../../contracts/endpoints.ts';
import type { Check } from '../protocol/check.ts';
import { checks } from './index.ts';

/** One check of one endpoint. */
export interface Unit {
  /** The id, `endpoint/check`. */
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly check: Check;
  readonly lane: Collection;
}

/** The collections in the order in which their lanes start: the long ones first. */
export const lanes: readonly Collection[] = [
  'experiments',
  'metrics',
  'gates',
  'qualifying-events',
  'prompts',
  'environments',
  'configs',
  'events',
  'segments',
];

/** True if the operation may not succeed twice on one entity: its one accepted request comes last. */
export const isOneShot = (endpoint: EndpointId): boolean => endpointRow(endpoint).oneShot === true;

/** Reads first, then restorable and additive operations, then those that cannot be undone; the archive last of all. */
export const effectOrder = { read: 0, restorable: 1, additive: 2, destructive: 3 } as const;

/** The turn of a check at an operation that works only once: checks without a special role go first. */
const turnOf = ({ role }: Check): number => (role === 'minimal-request' ? 1 : role === 'afterwards' ? 2 : 0);

const orderedEndpoints: readonly EndpointId[] = [...endpointIds].sort(
  (a, b) =>
    effectOrder[endpoints[a].effect] - effectOrder[endpoints[b].effect] ||
    endpointIds.indexOf(a) - endpointIds.indexOf(b),
);

function unitsOf(endpoint: EndpointId): Unit[] {
  const row = endpoints[endpoint];
  const bound = checks.filter(check => check.appliesTo(row));
  // If the operation works only once, send what must be refused before what must be accepted.
  const ordered = isOneShot(endpoint) ? bound.toSorted((a, b) => turnOf(a) - turnOf(b)) : bound;
  return ordered.map(check => ({ id: `${endpoint}/${check.id}`, endpoint, check, lane: row.collection }));
}

const all: readonly Unit[] = lanes.flatMap(lane =>
  orderedEndpoints.filter(id => endpoints[id].collection === lane).flatMap(unitsOf),
);

/** Returns every unit, lane by lane, in the order in which a lane runs them. */
export const allUnits = (): readonly Unit[] => all;
