import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { PlannedCheck } from '../../../contracts/report/journal.ts';
import { clientRequirements, type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { citedBy } from '../../checks/verified-by.ts';
import { pagesRequirements } from '../../judge/page-covers.ts';
import { clientCheck, sideOf } from '../exchange/breach.ts';
import { pagesCheck, passiveChecks, refusedCheck, refusedRequirements } from '../server/server.ts';
import { stateCheck, stateRequirements } from '../server/state-findings.ts';

/** The checks that judge observed traffic in addition to the passive checks. */
// biome-ignore format: a table
const trafficChecks: readonly (Pick<PlannedCheck, 'title'> & {
  readonly check: string;
  readonly requirements: (row: Endpoint, endpoint: EndpointId) => readonly RequirementId[];
})[] = [
  { check: refusedCheck, requirements: refusedRequirements, title: 'What breaks a stated rule, or has no key, is refused, and nothing brings a 5xx' },
  { check: pagesCheck,   requirements: pagesRequirements,   title: 'Each page of a list has the size, the number and the links that it should have' },
  { check: stateCheck,   requirements: stateRequirements,   title: 'What one answer shows agrees with what was written and shown before it' },
  { check: clientCheck,  requirements: () => clientRequirements.map(({ id }) => id), title: 'The client keeps what the specification asks of requests' },
];

const binds = (id: RequirementId, endpoint: EndpointId): boolean => {
  const { endpoints, level } = requirementById(id);
  return level !== 'OPEN' && (endpoints === 'all' || endpoints.includes(endpoint));
};

function plannedAt(endpoint: EndpointId): PlannedCheck[] {
  const row = endpointRow(endpoint);
  const planned = (one: Pick<PlannedCheck, 'check' | 'level' | 'title' | 'requirements'>): PlannedCheck => ({
    endpoint,
    lane: row.collection,
    id: `${endpoint}/${one.check}`,
    ...one,
    side: sideOf(one.check),
  });
  const passive = passiveChecks
    .filter(check => check.appliesTo(row))
    .map(check => {
      const { id, level, title } = check;
      return planned({ check: id, level, title, requirements: [...citedBy(check, endpoint)] });
    });
  const others = trafficChecks.flatMap(({ check, title, requirements }) => {
    const cited = [...new Set(requirements(row, endpoint))].filter(one => binds(one, endpoint));
    return cited.length === 0 ? [] : planned({ check, level: 'MUST', title, requirements: cited });
  });
  return [...passive, ...others];
}

/** Returns the plan for traffic: every check at every operation that it applies to. */
export const trafficPlan = (): PlannedCheck[] => endpointIds.flatMap(plannedAt);
