import { describe, expect, test } from 'vitest';
import type { RunEvent, Verdict } from '../../contracts/report/journal.ts';
import { judgeBaseline } from '../baseline/verdict.ts';
import { testSuites } from '../formats/cases.ts';
import { wrongType } from '../testing/findings.fixture.ts';
import { checkEnd, end, planOf, reportOf, start } from '../testing/runs.fixture.ts';

type FailOn = 'any' | 'client' | 'server';

/** Returns judged traffic in which no answer could be judged, and the client has some verdict. */
function unseen(client: Verdict, failOn: FailOn = 'any'): RunEvent[] {
  const plan = planOf(['patch-gate']).map(one => (one.check === 'reject' ? { ...one, side: 'client' as const } : one));
  const ends = plan.map(one =>
    one.side === 'client'
      ? checkEnd(one, client, client === 'fail' ? { findings: [wrongType] } : {})
      : checkEnd(one, 'not-applicable', { because: 'no answer' }),
  );
  const traffic = { sources: ['x.har'], soleWriter: false, settleMs: 0, failOn };
  return [start(plan, { traffic }), ...ends, end()];
}

describe('traffic without one answer that could be judged', () => {
  // biome-ignore format: a table
  test.each<[client: Verdict, FailOn, code: number]>([
    ['pass', 'any',    3],
    ['pass', 'server', 3],
    ['pass', 'client', 0],
    ['fail', 'any',    1],
    ['fail', 'server', 3],
    ['fail', 'client', 1],
  ])('where the client has %s and %s is to fail exits with %i, with an empty baseline as without one', (...row) => {
    const [client, failOn, code] = row;
    const report = reportOf(unseen(client, failOn));
    const { exitCode } = judgeBaseline(report, { version: 2, known: [] }, '');
    expect([report.exitCode, exitCode]).toEqual([code, code]);
    const outcomes = testSuites(report).flatMap(({ cases }) => cases.map(({ outcome }) => outcome));
    if (code !== 0) expect(outcomes.some(one => one === 'failure' || one === 'error')).toBe(true);
  });
});
