import { describe, expect, test } from 'vitest';
import type { KnownDefect } from '../contracts/report/baseline.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { type Report, reportSchema } from '../contracts/report/report.ts';
import { validatorFor } from '../contracts/validation.ts';
import { defectText, failingDefects, judgeBaseline } from './baseline/verdict.ts';
import { testSuites } from './formats/cases.ts';
import { type ReporterName, reporters } from './index.ts';
import { examples } from './testing/examples.fixture.ts';
import { tooLong, wrongType } from './testing/findings.fixture.ts';
import { reportOf, run } from './testing/runs.fixture.ts';

const file = 'conform.baseline.json';

/** Returns the report of a run with a baseline that knows its first `count` defects, and further entries. */
function withBaseline(events: readonly RunEvent[], count: number, ...more: KnownDefect[]): Report {
  const report = reportOf(events);
  const known = [...failingDefects(report).values()]
    .slice(0, count)
    .map(({ defect }): KnownDefect => ({ ...defect, reason: 'ticket 7', issue: 'i/7' }));
  const { exitCode, ...judged } = judgeBaseline(report, { version: 2, known: [...known, ...more] }, '2025-06-15', [
    'line 5',
  ]);
  return { ...report, exitCode, baseline: { file, ...judged } };
}

async function writtenOf(name: ReporterName, report: Report): Promise<string> {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  const stepSummary = write;
  const out = { write, stepSummary, columns: 100, colour: false, interactive: false };
  await (await reporters[name].create(out)).end(report);
  return texts.join('');
}

const stale: KnownDefect = {
  endpoint: 'list-events',
  check: 'auth',
  requirement: 'auth.required',
  pointer: '',
  deviation: 'accepted',
  reason: 'ticket 9',
};
const two: readonly RunEvent[] = run({ 'patch-gate/reject': ['fail', { findings: [tooLong, wrongType] }] });
const all = withBaseline(examples.failing, 3);
const some = withBaseline(two, 1);
const old = withBaseline(run({}), 0, stale);
const shown: readonly ReporterName[] = ['terminal', 'junit', 'html', 'markdown', 'github', 'ctrf'];

describe('a report with a baseline', () => {
  test('keeps its schema', () => {
    for (const report of [all, some, old]) expect(validatorFor(reportSchema)(report)).toEqual([]);
  });

  test('has the exit code that is left', () => {
    expect([all, some, old].map(({ exitCode }) => exitCode)).toEqual([3, 1, 1]);
  });

  test.each(shown)('%s says of a known failure that it is known, and why', async name => {
    const text = await writtenOf(name, all);
    expect(text.toLowerCase()).toContain('known');
    expect(text).toContain('ticket 7');
  });

  test.each(shown)('%s tells of an entry that holds no more', async name => {
    const text = (await writtenOf(name, old)).replaceAll('&#46;', '.').replace(/\s+/g, ' ');
    expect(text).toContain(file);
    expect(text).toMatch(name === 'terminal' ? /1 entry of conform\.baseline\.json is stale/ : /is there no more/);
  });

  test.each(['NON-CONFORMANT', 'CONFORMANT'])(
    'the terminal says why %s stands beside such an exit code',
    async word => {
      const whole = withBaseline(two, 2);
      const text = await writtenOf('terminal', word === 'CONFORMANT' ? old : whole);
      expect(text).toMatch(new RegExp(`[✓✗] ${word} `));
      expect(text.replace(/\s+/g, ' ')).toContain(
        word === 'CONFORMANT'
          ? '1 entry of conform.baseline.json is stale: exit 1.'
          : 'Both failures are known (conform.baseline.json): exit 0.',
      );
    },
  );

  test('JUnit skips a check all of whose failures are known, and fails one with a new failure beside a known one', () => {
    const caseOf = (report: Report, suite: string, name: string) =>
      testSuites(report)
        .find(one => one.name === suite)
        ?.cases.find(one => one.name === name);
    const whole = testSuites(withBaseline(two, 2)).flatMap(({ cases }) => cases);
    expect(whole.filter(({ outcome }) => outcome !== 'pass')).toMatchObject([
      { name: 'reject', outcome: 'skipped', verdict: 'known', message: 'known: ticket 7 (i/7)' },
    ]);
    const mixed = caseOf(some, 'patch-gate', 'reject');
    expect(mixed).toMatchObject({ outcome: 'failure', message: expect.stringContaining('gate.isEnabled.type') });
    expect(mixed?.text).toMatch(/\nKnown: ticket 7 \(i\/7\)\n/);
    expect(caseOf(old, 'baseline', defectText(stale))).toMatchObject({ outcome: 'failure', verdict: 'stale' });
  });

  test('JUnit has an error where a run is incomplete behind known failures', () => {
    const cases = testSuites(all).flatMap(({ name, cases: own }) => own.map(one => ({ suite: name, ...one })));
    expect(cases.filter(({ outcome }) => outcome === 'failure' || outcome === 'error')).toMatchObject([
      { suite: 'disable-gate', name: 'verdict' },
    ]);
  });

  test('annotations of known failures are notices', async () => {
    const text = await writtenOf('github', withBaseline(two, 2));
    expect(text).toMatch(/^::notice title=known F1 .*patch-gate\/reject::/m);
    expect(text).not.toMatch(/^::error/m);
    expect(await writtenOf('github', old)).toMatch(/^::error title=A stale entry/m);
  });

  test('a terminal shows causes whole that are new, and those that are known in the list', async () => {
    const text = await writtenOf('terminal', some);
    expect(text).toMatch(/FAILURES[\s\S]*gate\.isEnabled\.type[\s\S]*CAUSES/);
    expect(text.split('CAUSES')[0]).not.toContain('1,001 characters');
    expect(text.split('CAUSES')[1]).toContain('known (ticket 7 (i/7))');
  });

  test('HTML puts first what is new', async () => {
    const steps = (await writtenOf('html', withBaseline(two, 2))).split('id="first"')[1]?.split('</section>')[0];
    expect(steps).toContain('every failure is known');
  });
});

describe('the journal of one shard alone', () => {
  const shard = reportOf(run({}, { shard: { index: 1, total: 3 } }));

  test('is incomplete, whatever passes', () => {
    expect(shard).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    expect(reportOf(run({ 'patch-gate/reject': ['fail', { findings: [tooLong] }] }, shard.options))).toMatchObject({
      verdict: 'non-conformant',
      exitCode: 1,
    });
  });

  test.each(shown.filter(name => name !== 'ctrf'))('%s says which part it is', async name => {
    expect((await writtenOf(name, shard)).toLowerCase()).toMatch(
      name === 'terminal' || name === 'html' ? /incomplete \(shard 1 of 3\)/ : /\(shard 1 of 3\)/,
    );
  });
});
