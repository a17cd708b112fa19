import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import type { Check } from '../protocol/check.ts';
import { checks } from './index.ts';

/** The requirements that a check verifies at an endpoint: of those it is about, the ones that bind the endpoint. */
export function citedBy(check: Check, endpoint: EndpointId): readonly RequirementId[] {
  return check.requirements(endpoints[endpoint], endpoint).filter(id => {
    const bound = requirementById(id).endpoints;
    return bound === 'all' || bound.includes(endpoint);
  });
}

let citations: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function cite(): ReadonlyMap<string, ReadonlySet<string>> {
  const by = new Map<string, Set<string>>();
  for (const check of checks) {
    for (const endpoint of endpointIds.filter(id => check.appliesTo(endpoints[id]))) {
      for (const requirement of citedBy(check, endpoint)) {
        by.set(requirement, (by.get(requirement) ?? new Set()).add(check.id));
      }
    }
  }
  return by;
}

/** The checks that verify a requirement at any endpoint, in the order of the index; empty when none does. */
export function verifiedBy(requirement: string): readonly string[] {
  citations ??= cite();
  return [...(citations.get(requirement) ?? [])];
}

/** Every requirement that any check cites. */
export function citedRequirements(): readonly string[] {
  citations ??= cite();
  return [...citations.keys()];
}
