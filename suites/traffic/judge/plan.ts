import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { Level, PlannedCheck } from '../../../contracts/report/journal.ts';
import {
  clientRequirements,
  type RequirementId,
  requirementById,
  type Side,
} from '../../../contracts/requirements/index.ts';
import { citedBy } from '../../checks/verified-by.ts';
import { pagesRequirements } from '../../judge/page-covers.ts';
import { clientCheck } from '../exchange/breach.ts';
import { pagesCheck } from '../server/pages.ts';
import { refusedCheck, refusedRequirements } from '../server/refusals.ts';
import { passiveChecks } from '../server/server.ts';
import { stateCheck, stateRequirements } from '../server/state-findings.ts';

/** A check of traffic beside the passive ones. */
interface TrafficCheck {
  readonly id: string;
  readonly side: Side;
  readonly level: Level;
  readonly title: string;
  readonly requirements: (row: Endpoint, endpoint: EndpointId) => readonly RequirementId[];
}

/** The checks that judge observed traffic beside the passive ones. */
const trafficChecks: readonly TrafficCheck[] = [
  {
    id: refusedCheck,
    side: 'server',
    level: 'MUST',
    title: 'What breaks a stated rule, or has no key, is refused, and nothing brings a 5xx',
    requirements: refusedRequirements,
  },
  {
    id: pagesCheck,
    side: 'server',
    level: 'MUST',
    title: 'Each page of a list has the size, the number and the links that it should have',
    requirements: pagesRequirements,
  },
  {
    id: stateCheck,
    side: 'server',
    level: 'MUST',
    title: 'What one answer shows agrees with what was written and shown before it',
    requirements: stateRequirements,
  },
  {
    id: clientCheck,
    side: 'client',
    level: 'MUST',
    title: 'The client keeps what the specification asks of requests',
    requirements: () => clientRequirements.filter(({ level }) => level !== 'OPEN').map(({ id }) => id),
  },
];

const binds = (id: RequirementId, endpoint: EndpointId): boolean => {
  const { endpoints, level } = requirementById(id);
  return level !== 'OPEN' && (endpoints === 'all' || endpoints.includes(endpoint));
};

function plannedAt(endpoint: EndpointId): PlannedCheck[] {
  const row = endpointRow(endpoint);
  const own = { endpoint, lane: row.collection };
  const passive = passiveChecks
    .filter(check => check.appliesTo(row))
    .map(check => {
      const { id, level, title } = check;
      const requirements = [...citedBy(check, endpoint)];
      return { ...own, id: `${endpoint}/${id}`, check: id, level, title, requirements, side: 'server' as const };
    });
  const others = trafficChecks.flatMap(({ id, side, level, title, requirements }) => {
    const cited = [...new Set(requirements(row, endpoint))].filter(one => binds(one, endpoint));
    return cited.length === 0
      ? []
      : [{ ...own, id: `${endpoint}/${id}`, check: id, level, title, requirements: cited, side }];
  });
  return [...passive, ...others];
}

/** Everything that traffic is judged by: one check of one operation each. */
export const trafficPlan = (): PlannedCheck[] => endpointIds.flatMap(plannedAt);
