import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { examples } from '../testing/examples.fixture.ts';
import { noContentType, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { failedChecks, sinceLast, sinceLastText } from './known.ts';

type Odd = Parameters<typeof run>[0];
const report = (odd: Odd, options: Parameters<typeof run>[1] = {}) => reportOf(run(odd, options) as RunEvent[]);
const rejects: Odd[string] = ['fail', { findings: [tooLong] }];
const envelope: Odd[string] = ['fail', { findings: [wrongType] }];
const green = report({});

describe('what failed last', () => {
  test('is every check that failed, and every check whose cases showed it', () => {
    const before = report({ 'patch-gate/reject': rejects, 'patch-gate/envelope': envelope });
    const sources = [tooLong, wrongType].flatMap(({ counterexample }) => counterexample?.unit ?? []);
    expect(new Set(failedChecks(before))).toEqual(new Set(['patch-gate/reject', 'patch-gate/envelope', ...sources]));
  });

  test('is all of an operation where no case showed it', () => {
    const finding = {
      ...wrongType,
      counterexample: { path: '', index: 0, title: 'what the run sent', pointer: '', shrinks: 0 },
    };
    const odd = report({ 'patch-gate/envelope': ['fail', { findings: [finding] }] });
    const { checks = [] } = odd.endpoints.find(({ id }) => id === 'patch-gate') ?? {};
    expect(checks.length).toBeGreaterThan(1);
    expect(failedChecks(odd).sort()).toEqual(checks.map(({ id }) => id).sort());
  });

  test('is not what passed, warned or was not tested; under --strict a warning is a failure', () => {
    const odd: Odd = { 'list-segments/headers': ['warn', { findings: [noContentType] }] };
    expect(failedChecks(report(odd))).toEqual([]);
    expect(failedChecks(report(odd, { strict: true }))).toContain('list-segments/headers');
    expect(failedChecks(reportOf(examples.untested))).toEqual([]);
  });

  test('has the checks at which the suite itself was at fault', () => {
    expect(failedChecks(reportOf(examples.fault))).toEqual(['list-events/envelope']);
  });
});

describe('since the last run', () => {
  const both = report({ 'patch-gate/reject': rejects, 'patch-gate/envelope': envelope });
  const one = report({ 'patch-gate/reject': rejects });

  test('what fails no longer is fixed, what did not fail is new, the rest is as before', () => {
    expect(sinceLast(both, one)).toEqual({ fixed: 1, fresh: 0, same: 1 });
    expect(sinceLast(one, both)).toEqual({ fixed: 0, fresh: 1, same: 1 });
    expect(sinceLast(both, green)).toEqual({ fixed: 2, fresh: 0, same: 0 });
    expect(sinceLast(both, both)).toEqual({ fixed: 0, fresh: 0, same: 2 });
  });

  test('what was not tested again is not fixed', () => {
    const blind = report({ 'patch-gate/reject': ['untested', { because: 'the run ended before it' }] });
    expect(sinceLast(one, blind)).toEqual({ fixed: 0, fresh: 0, same: 0 });
    const readOnly = report({ 'patch-gate/reject': ['not-applicable', { because: 'read-only' }] }, { readOnly: true });
    expect(sinceLast(one, readOnly)).toEqual({ fixed: 0, fresh: 0, same: 0 });
    const elsewhere = reportOf(run({}, {}, ['list-segments']));
    expect(sinceLast(one, elsewhere)).toEqual({ fixed: 0, fresh: 0, same: 0 });
  });

  test('another number of the same list is the same cause', () => {
    const at = (index: number) => ({ ...wrongType, pointer: `/data/${index}/id` });
    const first = report({ 'patch-gate/envelope': ['fail', { findings: [at(1)] }] });
    const second = report({ 'patch-gate/envelope': ['fail', { findings: [at(7)] }] });
    expect(sinceLast(first, second)).toEqual({ fixed: 0, fresh: 0, same: 1 });
  });

  test('is told in one line', () => {
    expect(sinceLastText(both, one)).toBe('since last run: 1 fixed, 0 new, 1 as before');
    expect(sinceLastText(one, green)).toBe('since last run: 1 fixed, 0 new');
  });
});
