import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type FaultKind, faultKinds } from '../../../reference-server/index.ts';
import { checksThat, type RunRecord } from '../testing/reference-run.ts';
import { due, runAgainst } from './detection.fixture.ts';

/** The rows of the ledger that the findings of a run cite. `MUST`: those of that level alone. */
export function cited(record: RunRecord, level?: 'MUST'): readonly RequirementId[] {
  const findings = [...record.checks.values()].flatMap(check => check.findings);
  const counted = findings.filter(finding => level === undefined || finding.level === level);
  return [...new Set(counted.map(finding => finding.requirement as RequirementId))].sort();
}

/**
 * One test for each fault of these kinds: the suite finds it, and accuses the server of nothing else that the specification demands. A fault that is
 * marked as missed is missed: as soon as the suite learns to find it the mark has to go.
 */
export function killMatrix(kinds: readonly FaultKind[]): void {
  describe.each(kinds)('faults of %s', kind => {
    test.each(faultKinds[kind].map(fault => [fault.id, fault] as const))('%s', async (_id, fault) => {
      const record = await runAgainst(fault);
      expect(record.end.outcome).toBe('complete');
      expect(checksThat(record, 'error')).toEqual([]);
      const named = cited(record).filter(id => due(fault).includes(id));
      expect(named.length > 0, `finds that ${fault.title}`).toBe(fault.missed === undefined);
      expect(cited(record, 'MUST').filter(id => !due(fault).includes(id))).toEqual([]);
    });
  });
}

/** The kinds, dealt out so that the files of tests take about as long. */
// biome-ignore format: a table
export const shards = {
  answers:   ['envelope', 'messages', 'types', 'identity', 'echo', 'pagination'],
  requests:  ['bounds', 'enums', 'patterns'],
  behaviour: ['required', 'authentication', 'state', 'robustness'],
} as const satisfies Record<string, readonly FaultKind[]>;
