import { describe, expect, test } from 'vitest';
import type { Level, Verdict } from './journal.ts';
import type { EndpointVerdict, Outcome, RunVerdict } from './report.ts';
import {
  countedVerdict,
  coveragePercent,
  type ExitCondition,
  endpointVerdict,
  exitCode,
  exitConditions,
  isCoverageShort,
  runVerdict,
  verdictOfFindings,
} from './verdict.ts';

/** Parses `pass` or `SHOULD untested`; the default level is MUST. */
const check = (text: string): { level: Level; verdict: Verdict } => {
  const [first = '', second] = text.split(' ');
  return second === undefined
    ? { level: 'MUST', verdict: first as Verdict }
    : { level: first as Level, verdict: second as Verdict };
};

// biome-ignore format: a table
const endpoints: readonly [checks: string[], verdict: EndpointVerdict][] = [
  [['pass'],                                          'conformant'],
  [['pass', 'pass', 'SHOULD pass'],                   'conformant'],
  [['pass', 'SHOULD warn'],                           'conformant'],
  [['pass', 'SHOULD untested'],                       'conformant'],
  [['pass', 'not-applicable'],                        'conformant'],
  [['pass', 'fail'],                                  'non-conformant'],
  [['fail', 'untested'],                              'non-conformant'],
  [['fail', 'error'],                                 'non-conformant'],
  [['pass', 'SHOULD fail'],                           'non-conformant'],
  [['pass', 'untested'],                              'incomplete'],
  [['pass', 'error'],                                 'incomplete'],
  [['pass', 'SHOULD error'],                          'incomplete'],
  [['untested'],                                      'incomplete'],
  [['SHOULD untested'],                               'incomplete'],
  [['SHOULD warn'],                                   'incomplete'],
  [['SHOULD untested', 'not-applicable'],             'incomplete'],
  [['not-applicable', 'not-applicable'],              'not-applicable'],
  [[],                                                'not-applicable'],
];

// biome-ignore format: a table
const runs: readonly [endpoints: EndpointVerdict[], outcome: Outcome, verdict: RunVerdict][] = [
  [['conformant', 'conformant'],                      'complete',    'conformant'],
  [['conformant', 'not-applicable'],                  'complete',    'conformant'],
  [['conformant', 'incomplete'],                      'complete',    'incomplete'],
  [['conformant', 'incomplete', 'non-conformant'],    'complete',    'non-conformant'],
  [['not-applicable'],                                'complete',    'incomplete'],
  [[],                                                'complete',    'incomplete'],
  [['conformant'],                                    'interrupted', 'incomplete'],
  [['conformant'],                                    'truncated',   'incomplete'],
  [['conformant'],                                    'unreachable', 'incomplete'],
  [['conformant'],                                    'error',       'incomplete'],
  [['non-conformant', 'incomplete'],                  'truncated',   'non-conformant'],
];

// biome-ignore format: a table
const codes: readonly [conditions: ExitCondition[], code: number][] = [
  [[],                                                                        0],
  [['incomplete'],                                                            3],
  [['non-conformant'],                                                        1],
  [['stale-baseline'],                                                        1],
  [['incomplete', 'stale-baseline'],                                          1],
  [['incomplete', 'non-conformant'],                                          1],
  [['incomplete', 'non-conformant', 'suite-fault'],                           4],
  [['suite-fault', 'non-conformant', 'usage-error'],                          2],
  [['incomplete', 'non-conformant', 'suite-fault', 'usage-error', 'interrupted'], 130],
];

// biome-ignore format: a table
const ends: readonly [verdict: RunVerdict, outcome: Outcome, checks: Verdict[], code: number][] = [
  ['conformant',     'complete',    ['pass'],              0],
  ['conformant',     'complete',    ['pass', 'warn'],      0],
  ['non-conformant', 'complete',    ['pass', 'fail'],      1],
  ['incomplete',     'complete',    ['pass', 'untested'],  3],
  ['incomplete',     'complete',    ['pass', 'error'],     4],
  ['non-conformant', 'complete',    ['fail', 'error'],     4],
  ['incomplete',     'error',       ['pass'],              4],
  ['non-conformant', 'truncated',   ['fail', 'untested'],  1],
  ['incomplete',     'truncated',   ['pass', 'untested'],  3],
  ['incomplete',     'unreachable', ['untested'],          3],
  ['non-conformant', 'unreachable', ['fail', 'untested'],  1],
  ['non-conformant', 'interrupted', ['fail', 'error'],     130],
  ['incomplete',     'interrupted', ['pass', 'untested'],  130],
];

describe('verdicts', () => {
  test.each(endpoints)('checks %j make an endpoint %s', (checks, verdict) => {
    expect(endpointVerdict(checks.map(check))).toBe(verdict);
  });

  test.each(runs)('endpoints %j of a run that was %s make it %s', (verdicts, outcome, verdict) => {
    expect(runVerdict(verdicts, outcome)).toBe(verdict);
  });

  test.each(codes)('conditions %j exit with %i', (conditions, code) => {
    expect(exitCode(conditions)).toBe(code);
    expect(exitCode([...conditions].reverse())).toBe(code);
  });

  test.each(ends)('a run that is %s, was %s and has checks %j exits with %i', (verdict, outcome, checks, code) => {
    expect(exitCode(exitConditions({ verdict, outcome, checks }))).toBe(code);
  });

  test('findings make the verdict of a check by their worst level', () => {
    expect(verdictOfFindings([])).toBe('pass');
    expect(verdictOfFindings([{ level: 'SHOULD' }])).toBe('warn');
    expect(verdictOfFindings([{ level: 'SHOULD' }, { level: 'MUST' }])).toBe('fail');
  });

  test('strict turns warnings, and nothing else, into failures', () => {
    expect(countedVerdict('warn', true)).toBe('fail');
    expect(countedVerdict('warn', false)).toBe('warn');
    for (const verdict of ['pass', 'fail', 'untested', 'not-applicable', 'error'] as const)
      expect(countedVerdict(verdict, true)).toBe(verdict);
  });
});

describe('coverage', () => {
  test.each([
    [487, 500, 97.4],
    [9496, 10_000, 94.9],
    [1, 3, 33.3],
    [0, 0, 0],
    [5, 5, 100],
  ])('%i of %i is %s percent, rounded down', (verified, total, percent) => {
    expect(coveragePercent(verified, total)).toBe(percent);
  });

  test.each<[proven: number, all: number, min: number | undefined, short: boolean]>([
    [9496, 10_000, 95, true],
    [9500, 10_000, 95, false],
    [487, 500, 97.4, false],
    [486, 500, 97.4, true],
    [0, 500, undefined, false],
    [499, 500, 100, true],
    [500, 500, 100, false],
  ])('%i of %i, where %s percent is asked for', (proven, all, min, short) => {
    expect(isCoverageShort({ tenths: { proven, all }, ...(min === undefined ? {} : { min }) })).toBe(short);
  });

  test('that is not reached makes a conformant run end with 3, and a failure still counts more', () => {
    const coverage = { tenths: { proven: 9, all: 10 }, min: 95 };
    const ends = (verdict: RunVerdict, more: object) =>
      exitCode(exitConditions({ verdict, outcome: 'complete', checks: [], ...more }));
    expect(ends('conformant', { coverage })).toBe(3);
    expect(ends('conformant', { coverage: { ...coverage, min: 90 } })).toBe(0);
    expect(ends('non-conformant', { coverage })).toBe(1);
  });

  test('as written from a run is reached by the same run', () => {
    for (let proven = 0; proven <= 997; proven += 1)
      expect(isCoverageShort({ tenths: { proven, all: 997 }, min: coveragePercent(proven, 997) })).toBe(false);
  });
});
