import { describe, expect, test } from 'vitest';
import { endpointIds } from '../../contracts/endpoints.ts';
import { type RunEvent, runEvent } from '../../contracts/report/journal.ts';
import { type Report, reportSchema } from '../../contracts/report/report.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { noContentType, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { api, checkEnd, end, planOf, reportOf, run, start } from '../testing/runs.fixture.ts';
import { foldJournal } from './fold.ts';

const names = Object.keys(examples) as ExampleName[];
const checkOf = (report: Report, id: string) =>
  report.endpoints.flatMap(endpoint => endpoint.checks).find(check => check.id === id);
const requirementOf = (report: Report, id: string) => report.requirements.find(row => row.id === id);

describe('fold', () => {
  test.each(names)('the events of a run that is %s, and its report, keep their schemas', name => {
    for (const event of examples[name]) expect(validatorFor(runEvent)(event)).toEqual([]);
    const report = reportOf(examples[name]);
    expect(validatorFor(reportSchema)(report)).toEqual([]);
    expect(validatorFor(reportSchema)(JSON.parse(JSON.stringify(report)))).toEqual([]);
  });

  // biome-ignore format: a table
  const ends: readonly [ExampleName, Report['verdict'], number][] = [
    ['empty',       'incomplete',     3],
    ['green',       'conformant',     0],
    ['warned',      'conformant',     0],
    ['strict',      'non-conformant', 1],
    ['failing',     'non-conformant', 1],
    ['untested',    'incomplete',     3],
    ['fault',       'incomplete',     4],
    ['truncated',   'non-conformant', 1],
    ['interrupted', 'incomplete',     130],
    ['unreachable', 'incomplete',     3],
  ];
  test.each(ends)('a run that is %s is %s and exits with %i', (name, verdict, code) => {
    const report = reportOf(examples[name]);
    expect([report.verdict, report.exitCode]).toEqual([verdict, code]);
  });

  test.each(names)('the report of a run that is %s does not depend on the order in which its checks ended', name => {
    const [first, ...rest] = examples[name] as readonly RunEvent[];
    const report = reportOf(examples[name]);
    // Learned names keep their order: they are sent in that order, the first one most often.
    const learned = rest.filter(({ event }) => event === 'learned');
    const others = rest.filter(({ event }) => event !== 'learned');
    expect(reportOf([first as RunEvent, ...others.reverse(), ...learned])).toEqual(report);
  });

  test('endpoints stand in the order of the table and checks in that of the plan', () => {
    const plan = planOf([...endpointIds].reverse());
    const report = reportOf([start(plan), ...plan.map(check => checkEnd(check, 'pass')), end()]);
    expect(report.endpoints.map(endpoint => endpoint.id)).toEqual(endpointIds);
    expect(report.endpoints[0]?.checks.map(check => check.check)).toEqual(['envelope', 'reject', 'auth', 'headers']);
  });

  test('of a check that went on after its end the later end counts, for better and for worse', () => {
    const plan = planOf(['patch-gate']);
    const [better, worse] = plan as [(typeof plan)[0], (typeof plan)[0]];
    const report = reportOf([
      start(plan, { timeMs: 60_000 }),
      checkEnd(better, 'untested', { because: 'every case was refused' }),
      checkEnd(worse, 'pass'),
      { event: 'progress', requests: 90, extended: 40, elapsedMs: 30_000, timeMs: 60_000 },
      checkEnd(better, 'pass', { replaces: true }),
      checkEnd(worse, 'fail', { replaces: true, findings: [wrongType] }),
      ...plan.slice(2).map(check => checkEnd(check, 'pass')),
      {
        event: 'run-end',
        outcome: 'complete',
        stats: { requests: 840, cases: 720, extended: 400, durationMs: 60_010 },
      },
    ]);
    expect([checkOf(report, better.id)?.verdict, checkOf(report, worse.id)?.verdict]).toEqual(['pass', 'fail']);
    expect(report.stats).toMatchObject({ extended: 400, checks: { fail: 1, untested: 0 } });
    expect(validatorFor(reportSchema)(report)).toEqual([]);
  });

  test('a filtered run reports only the endpoints that it planned', () => {
    const report = reportOf(run({}, {}, ['patch-gate']));
    expect(report.endpoints.map(endpoint => endpoint.id)).toEqual(['patch-gate']);
    expect(report.verdict).toBe('conformant');
  });

  test('a planned check that did not end is untested, and a run without an end is truncated', () => {
    const report = reportOf([start(planOf(['patch-gate'])), checkEnd(planOf(['patch-gate'])[0] as never, 'pass')]);
    expect(report).toMatchObject({ truncated: true, outcome: 'truncated', verdict: 'incomplete', exitCode: 3 });
    expect(checkOf(report, 'patch-gate/reject')).toMatchObject({
      verdict: 'untested',
      because: 'the run ended before it',
    });
    expect(report.stats).toMatchObject({ requests: 14, cases: 12, checks: { pass: 1, untested: 3 } });
  });

  test('a check that was not planned is reported all the same', () => {
    const [check] = planOf(['disable-gate']);
    const report = reportOf([
      start(planOf(['patch-gate'])),
      ...planOf(['patch-gate']).map(one => checkEnd(one, 'pass')),
      checkEnd(check as never, 'fail', { findings: [wrongType] }),
      end(),
    ]);
    expect(report.exitCode).toBe(1);
    expect(checkOf(report, 'disable-gate/envelope')?.requirements).toEqual(['gate.isEnabled.type']);
  });

  test('findings get a curl line and the command that replays them', () => {
    const [finding] = checkOf(reportOf(examples.failing), 'patch-gate/reject')?.findings ?? [];
    expect(finding?.curl).toContain('curl -sS -i --path-as-is -X PATCH');
    expect(finding?.reproduce).toContain("--only 'patch-gate/reject' --seed 42 --profile standard --path 16:0:2");
  });

  test('a finding that another check showed is replayed by that check', () => {
    const counterexample = { path: '3', unit: 'patch-gate/reject', title: 'a case', pointer: '' };
    const findings = [{ ...wrongType, counterexample }];
    const report = reportOf(run({ 'patch-gate/envelope': ['fail', { findings }] }));
    expect(checkOf(report, 'patch-gate/envelope')?.findings[0]?.reproduce).toContain("--only 'patch-gate/reject'");
  });

  test('findings beyond the bound are counted', () => {
    const check = checkOf(reportOf(examples.wall), 'patch-gate/reject');
    expect([check?.findings.length, check?.moreFindings]).toEqual([50, 10]);
  });

  test.each([
    [false, 3],
    [true, 8],
  ])('failures that its findings lack are counted beside them, warnings too where strict is %s', (strict, more) => {
    const leftOut = { failures: 3, warnings: 5 };
    const events = run({ 'patch-gate/reject': ['fail', { findings: [wrongType], leftOut }] }, { strict });
    expect(checkOf(reportOf(events), 'patch-gate/reject')?.moreFindings).toBe(more);
  });

  test('strict turns what warned into a failure, of the check and of the requirement', () => {
    const [lax, strict] = [reportOf(examples.warned), reportOf(examples.strict)];
    expect(checkOf(lax, 'list-segments/headers')?.verdict).toBe('warn');
    expect(checkOf(strict, 'list-segments/headers')?.verdict).toBe('fail');
    expect(requirementOf(lax, 'answer.content-type')?.verdict).toBe('warned');
    expect(requirementOf(strict, 'answer.content-type')?.verdict).toBe('failed');
  });

  test('journals of shards add up, and one that was cut off makes the whole truncated', () => {
    const [one, two] = [run({}, {}, ['patch-gate']), run({}, {}, ['list-segments'])];
    const whole = reportOf([...one, ...two]);
    expect(whole).toMatchObject({
      verdict: 'conformant',
      truncated: false,
      stats: { requests: 1680, durationMs: 2345 },
    });
    expect(whole.endpoints.map(endpoint => endpoint.id)).toEqual(['patch-gate', 'list-segments']);
    expect(reportOf([...two, ...one])).toEqual(whole);
    expect(reportOf([...one.slice(0, -1), ...two])).toMatchObject({
      verdict: 'incomplete',
      truncated: true,
      exitCode: 3,
    });
  });

  test('of two verdicts on one check the worse one stays', () => {
    const good = run({}, {}, ['patch-gate']);
    const bad = run({ 'patch-gate/reject': ['fail', { findings: [tooLong] }] }, {}, ['patch-gate']);
    for (const events of [
      [...good, ...bad],
      [...bad, ...good],
    ])
      expect(reportOf(events).exitCode).toBe(1);
  });

  test('equal observations are counted together', () => {
    const seen = { event: 'observation', requirement: 'errors.body', subject: '404', value: '{message}' } as const;
    const report = reportOf([start([]), seen, { ...seen, count: 4 }, { ...seen, value: '{error}' }, end()]);
    expect(report.observations.map(({ value, count }) => [value, count])).toEqual([
      ['{error}', 1],
      ['{message}', 5],
    ]);
  });

  test('residue is kept up to a bound', () => {
    const fold = foldJournal(api);
    fold.add(start([]));
    const left = { event: 'left-behind', endpoint: 'create-metric', kind: 'metric', what: 'created' } as const;
    for (let index = 0; index < 6_000; index += 1) fold.add({ ...left, id: String(index) });
    expect(fold.report().leftBehind).toHaveLength(5_000);
  });

  test('a journal that does not begin with a start is refused', () => {
    const fold = foldJournal(api);
    expect(() => fold.report()).toThrow('run-start');
    expect(() => fold.add(checkEnd(planOf(['patch-gate'])[0] as never, 'pass'))).toThrow('run-start');
  });

  test('the real requirements are reported row by row', () => {
    const fold = foldJournal({ endpoints: api.endpoints, requirements });
    for (const event of examples.green) fold.add(event);
    expect(fold.report().requirements.map(row => row.id)).toEqual(requirements.map(row => row.id));
  });
});

describe('requirements', () => {
  // biome-ignore format: a table
  const cases: readonly [what: string, events: RunEvent[], id: string, verdict: string, because?: string][] = [
    ['all its checks passed',             run({}), 'envelope.message', 'verified'],
    ['a finding names it',                run({ 'patch-gate/reject': ['fail', { findings: [tooLong] }] }), 'gate.description.maxLength', 'failed'],
    ['a finding of another check does',   run({ 'list-events/auth': ['fail', { findings: [wrongType] }] }), 'gate.isEnabled.type', 'failed'],
    ['its check failed on another',       run({ 'patch-gate/envelope': ['fail', { findings: [wrongType] }] }), 'envelope.message', 'verified'],
    ['a SHOULD was not kept',             run({ 'patch-gate/headers': ['warn', { findings: [noContentType] }] }), 'answer.content-type', 'warned'],
    ['one of its checks was not run',     run({ 'patch-gate/auth': ['untested', { because: 'no gate' }] }), 'auth.required', 'untested', 'patch-gate/auth: no gate'],
    ['one of its checks was in error',    run({ 'patch-gate/auth': ['error', { because: 'oh' }] }), 'auth.required', 'untested', 'patch-gate/auth: oh'],
    ['some checks do not apply',          run({ 'patch-gate/auth': ['not-applicable'] }), 'auth.required', 'verified'],
    ['no check applies',                  run(Object.fromEntries(endpointIds.map(id => [`${id}/auth`, ['not-applicable', { because: 'read-only' }] as const]))), 'auth.required', 'not-applicable', 'update-environments/auth: read-only'],
    ['no check of the run is about it',   run({}), 'pagination.walk', 'untested', 'no check of this run verifies it'],
    ['nothing can verify it',             run({}), 'sql.executed', 'not-verifiable', 'the data behind a query cannot be seen through this API'],
    ['the specification leaves it open',  run({}), 'auth.refusal-status', 'open'],
  ];
  test.each(cases)('%s', (_what, events, id, verdict, because) => {
    const row = requirementOf(reportOf(events), id);
    expect([row?.verdict, row?.because]).toEqual([verdict, because]);
  });

  test('a failure is not hidden by a warning that comes after it', () => {
    const findings = [tooLong, { ...tooLong, level: 'SHOULD' as const }];
    const both = run({ 'patch-gate/reject': ['fail', { findings }] });
    expect(requirementOf(reportOf(both), tooLong.requirement)?.verdict).toBe('failed');
  });
});
