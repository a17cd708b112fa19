import { describe, expect, it } from 'vitest';
import { endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import { isRequirementId, requirementById, requirements } from '../../contracts/requirements/index.ts';
import { checks } from './index.ts';
import { verifiedBy } from './verified-by.ts';

const binding = requirements.filter(row => row.level !== 'OPEN');

describe('the requirements and the checks', () => {
  it.each(binding.map(row => [row.id, row]))('%s has a check or a reason, and not both', (id, row) => {
    const cited = verifiedBy(id).length > 0;
    expect({ id, cited, reason: row.unverified !== undefined }).toEqual({
      id,
      cited: row.unverified === undefined,
      reason: !cited,
    });
  });

  it('has no check that cites what is no requirement or an open one', () => {
    const cited = checks.flatMap(check =>
      endpointIds
        .filter(id => check.appliesTo(endpointRow(id)))
        .flatMap((id): readonly string[] => check.requirements(endpointRow(id), id)),
    );
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter(id => !isRequirementId(id) || requirementById(id).level === 'OPEN')).toEqual([]);
  });
});
