import type { EndpointId } from '../../contracts/endpoint.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { WatchingCheck } from '../checks/check.ts';
import { type Casebook, createCasebook } from './casebook.ts';
import type { Unit } from './plan.ts';
import type { Sighting } from './session.ts';

/** What the units of a lane write down for one another. */
export interface LaneLedger {
  casebookOf(unit: string): Casebook;
  /** Answers that a watching unit could judge. */
  readonly sightings: Map<string, Seen>;
  /** Endpoints that accepted a request in this run. */
  readonly accepted: Set<EndpointId>;
  readonly watching: (endpoint: EndpointId) => readonly WatchingCheck[];
}

/** What a watching unit saw. */
interface Seen {
  count: number;
  readonly exercised: Set<RequirementId>;
}

/** So many answers are looked through for the fields they have; later ones rarely have others. */
const mostLookedThrough = 60;

/** Notes that a watching unit could judge an answer. */
export function noteSighting(ledger: LaneLedger, unit: string, { check, answer }: Sighting): void {
  const seen = ledger.sightings.get(unit) ?? { count: 0, exercised: new Set() };
  seen.count += 1;
  if (seen.count <= mostLookedThrough) check.shows?.(answer, seen.exercised);
  ledger.sightings.set(unit, seen);
}

function watchersByEndpoint(units: readonly Unit[]): ReadonlyMap<EndpointId, readonly WatchingCheck[]> {
  const by = new Map<EndpointId, WatchingCheck[]>();
  for (const { check, endpoint } of units) {
    if (check.kind !== 'watching') continue;
    by.set(endpoint, [...(by.get(endpoint) ?? []), check]);
  }
  return by;
}

/** An empty ledger of a lane in which these units watch. */
export function openLedger(units: readonly Unit[]): LaneLedger {
  const casebooks = new Map<string, Casebook>();
  const watchers = watchersByEndpoint(units);
  return {
    casebookOf(unit) {
      const known = casebooks.get(unit) ?? createCasebook();
      casebooks.set(unit, known);
      return known;
    },
    sightings: new Map(),
    accepted: new Set(),
    watching: endpoint => watchers.get(endpoint) ?? [],
  };
}
