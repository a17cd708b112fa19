import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { present } from '../../../contracts/present.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { Secrets } from '../../../contracts/redaction/secrets.ts';
import type { CheckEnd, PlannedCheck } from '../../../contracts/report/journal.ts';
import { verdictOfFindings } from '../../../contracts/report/verdict.ts';
import { clientRequirements, type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { citedBy } from '../../checks/verified-by.ts';
import { createFindingsCollector, failuresFirst, findingOf, signatureOf } from '../../engine/findings.ts';
import type { Target } from '../../protocol/sut.ts';
import { type Breach, clientCheck, sideOf } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { passiveChecks, refusedCheck, refusedRequirements } from '../server/server.ts';
import { stateCheck, stateRequirements } from '../server/state-findings.ts';

/** The checks that judge observed traffic in addition to the passive checks. */
// biome-ignore format: a table
const trafficChecks: readonly (Pick<PlannedCheck, 'title'> & {
  readonly check: string;
  readonly requirements: (row: Endpoint, endpoint: EndpointId) => readonly RequirementId[];
})[] = [
  { check: refusedCheck, requirements: refusedRequirements, title: 'What breaks a stated rule, or has no key, is refused, and nothing brings a 5xx' },
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

/** Opens one check of one operation, without any findings yet. */
export function openTrafficUnit(plan: PlannedCheck) {
  const { id: unit, endpoint, check, level } = plan;
  const collector = createFindingsCollector();
  const exercised = new Set<string>();
  const stats = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };
  const cited = new Set(plan.requirements);
  return {
    add({ about, ...violation }: Breach, { exchange, path }: SeenExchange): void {
      const { request, number, source } = exchange;
      const title = `${request.method} ${clip(path, 200)}, exchange ${number} (${clip(source, 120)})`;
      const description = present({ title, pointer: about?.pointer ?? '', sent: about?.sent });
      const kept = { ...violation, answer: { ...violation.answer, sent: undefined } };
      const signature = signatureOf(unit, violation, about ? description : null);
      collector.add(signature, kept, { unit, index: number, path: `exchange-${number}`, description });
    },
    cover(requirements: Iterable<RequirementId>): void {
      for (const id of requirements) if (cited.has(id)) exercised.add(id);
    },
    count(accepted: boolean): void {
      stats.requests += 1;
      stats[accepted ? 'accepted' : 'refused'] += 1;
    },
    end(target: Target, secrets: Secrets, isUsed: (endpoint: PlannedCheck['endpoint']) => boolean): CheckEnd {
      const groups = [...collector.groups.values()].sort(failuresFirst);
      const findings = groups.map(group => findingOf(group, unit, target, secrets));
      const isJudged = findings.length > 0 || exercised.size > 0;
      const because = isUsed(endpoint)
        ? 'nothing of this traffic could have shown it'
        : 'the traffic does not use the operation';
      return {
        event: 'check-end',
        id: unit,
        endpoint,
        check,
        level,
        ...(isJudged ? { verdict: verdictOfFindings(findings) } : { verdict: 'not-applicable', because }),
        findings,
        ...present({ leftOut: collector.leftOut() }),
        notExercised: [],
        exercised: [...exercised].sort(),
        stats: { ...stats, cases: stats.requests },
      };
    },
  };
}
