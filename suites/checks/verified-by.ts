import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { memoized } from '../../contracts/memoized.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import type { Check, CheckResult } from '../protocol/check.ts';
import { checks } from './index.ts';

const cited = memoized((_: Check) => new Map<EndpointId, readonly RequirementId[]>());

/** Returns the requirements that a check verifies at an endpoint: those of the check that bind the endpoint. */
export function citedBy(check: Check, endpoint: EndpointId): readonly RequirementId[] {
  const known = cited(check).get(endpoint);
  if (known !== undefined) return known;
  const binding = check.requirements(endpoints[endpoint], endpoint).filter(id => {
    const bound = requirementById(id).endpoints;
    return bound === 'all' || bound.includes(endpoint);
  });
  cited(check).set(endpoint, binding);
  return binding;
}

/**
 * Returns the requirements that a result could have shown to be broken: those that it states, or the only one that the
 * check cites. If the check cites several and the result states none, returns none.
 */
export function coveredBy(check: Check, endpoint: EndpointId, { covers }: CheckResult): Iterable<RequirementId> {
  if (covers !== undefined) return covers;
  const all = citedBy(check, endpoint);
  return all.length === 1 ? all : [];
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

/** Returns the checks that verify a requirement at any endpoint, in the order of the index; empty if none does. */
export function verifiedBy(requirement: string): readonly string[] {
  citations ??= cite();
  return [...(citations.get(requirement) ?? [])];
}
