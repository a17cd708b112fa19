import { describe, expect, it } from 'vitest';
import { isRequirementId, requirementById, requirements } from '../../contracts/requirements/index.ts';
import { citedRequirements, verifiedBy } from './verified-by.ts';

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
    expect(citedRequirements().filter(id => !isRequirementId(id) || requirementById(id).level === 'OPEN')).toEqual([]);
  });
});
