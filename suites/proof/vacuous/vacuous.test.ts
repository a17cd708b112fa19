import { describe, expect, test } from 'vitest';
import { justified, reasonFor } from './justified.fixture.ts';
import { reportOn } from './run.fixture.ts';
import { vacuousTargets } from './targets.fixture.ts';
import { problemsOfReport, verifiedOfNothing } from './verified.fixture.ts';

test('every vacuous target has a row, and each requirement that it may verify a reason', () => {
  expect(Object.keys(justified)).toEqual(vacuousTargets.map(({ id }) => id));
  for (const [id, row] of Object.entries(justified)) {
    const verified = verifiedOfNothing()[id]?.verified ?? [];
    expect(verified.filter(one => reasonFor(one, row) === undefined)).toEqual([]);
    expect(row.verified.filter(one => !verified.some(name => reasonFor(name, row) === one))).toEqual([]);
  }
});

describe('a server that', () => {
  test.each(vacuousTargets.map(target => [target.title, target] as const))(
    '%s does not conform',
    async (_title, target) => {
      const report = await reportOn(target, 'quick');
      // A server that echoes shows each value, stored or not. Findings show its defect, not coverage.
      const isEcho = ['body-as-data', 'nothing-stored', 'nothing-stored-with-key'].includes(target.id);
      expect(report.coverage?.percent).toBeLessThan(isEcho ? 45 : 8);
      expect(problemsOfReport(target, report)).toEqual([]);
    },
  );
});
