import { describe, expect, it } from 'vitest';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { isRequirementId, requirementById, requirements } from '../../contracts/requirements/index.ts';
import { checkOf, checks } from './index.ts';
import { citedRequirements, verifiedBy } from './verified-by.ts';

const binding = requirements.filter(row => row.level !== 'OPEN');

describe('the ledger and the checks', () => {
  it.each(binding.map(row => [row.id, row]))('%s has a check or a reason, and not both', (id, row) => {
    const cited = verifiedBy(id).length > 0;
    expect({ id, cited, reason: row.unverified !== undefined }).toEqual({
      id,
      cited: row.unverified === undefined,
      reason: !cited,
    });
  });

  it('has no check that cites what is no row or an open one', () => {
    expect(citedRequirements().filter(id => !isRequirementId(id) || requirementById(id).level === 'OPEN')).toEqual([]);
  });

  it('gives each check an id of its own', () => {
    const ids = checks.map(check => check.id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it.each(['minimal-request', 'envelope'] as const)('has one check of the role %s, at every endpoint', role => {
    expect(checks.filter(check => check.role === role)).toEqual([checkOf(role)]);
    expect(endpointIds.filter(id => !checkOf(role).appliesTo(endpoints[id]))).toEqual([]);
  });

  it('pins the ids of the checks', () => {
    expect(checks.map(check => `${check.id} ${check.level} ${check.kind}`)).toMatchInlineSnapshot(`
      [
        "frame MUST active",
        "disables MUST active",
        "accepts MUST active",
        "metric-types MUST active",
        "combinations SHOULD active",
        "sequences MUST active",
        "neighbours MUST active",
        "event-stored MUST active",
        "metric-stored MUST active",
        "lineage MUST active",
        "at-once MUST active",
        "rest-unchanged MUST active",
        "pagination MUST active",
        "rejects MUST active",
        "violations MUST active",
        "no-trace MUST active",
        "authentication MUST active",
        "malformed-bodies MUST active",
        "odd-requests MUST active",
        "envelope MUST passive",
        "message MUST passive",
        "schema MUST passive",
        "presence SHOULD passive",
        "identity MUST passive",
        "echo MUST passive",
        "refusals MUST passive",
        "disclosure SHOULD passive",
      ]
    `);
  });
});
