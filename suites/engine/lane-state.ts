import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Unit } from '../checks/units.ts';
import type { PassiveCheck } from '../protocol/check.ts';
import type { PassiveResult } from '../sut/session.ts';
import { createFindingsCollector, type FindingsCollector } from './findings.ts';

/** What the units of a lane write down for one another. */
export interface LaneState {
  collectorOf(unit: string): FindingsCollector;
  /** Answers that a passive unit could judge. */
  readonly passiveResults: Map<string, Seen>;
  /** Endpoints that accepted a request in this run. */
  readonly accepted: Set<EndpointId>;
  readonly passive: (endpoint: EndpointId) => readonly PassiveCheck[];
}

/** What a passive unit saw. */
interface Seen {
  count: number;
  readonly exercised: Set<RequirementId>;
}

/** So many answers are looked through for the fields they have; later ones rarely have others. */
const mostLookedThrough = 60;

/** Notes that a passive unit could judge an answer. */
export function notePassiveResult(state: LaneState, unit: string, { covers = [] }: PassiveResult): void {
  const seen = state.passiveResults.get(unit) ?? { count: 0, exercised: new Set() };
  seen.count += 1;
  if (seen.count <= mostLookedThrough) for (const requirement of covers) seen.exercised.add(requirement);
  state.passiveResults.set(unit, seen);
}

function passiveByEndpoint(units: readonly Unit[]): ReadonlyMap<EndpointId, readonly PassiveCheck[]> {
  const by = new Map<EndpointId, PassiveCheck[]>();
  for (const { check, endpoint } of units) {
    if (check.kind !== 'passive') continue;
    by.set(endpoint, [...(by.get(endpoint) ?? []), check]);
  }
  return by;
}

/** An empty state of a lane in which these units watch. */
export function openLaneState(units: readonly Unit[]): LaneState {
  const collectors = new Map<string, FindingsCollector>();
  const passiveUnits = passiveByEndpoint(units);
  return {
    collectorOf(unit) {
      const known = collectors.get(unit) ?? createFindingsCollector();
      collectors.set(unit, known);
      return known;
    },
    passiveResults: new Map(),
    accepted: new Set(),
    passive: endpoint => passiveUnits.get(endpoint) ?? [],
  };
}
