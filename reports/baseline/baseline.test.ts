import { describe, expect, test } from 'vitest';
import { type Baseline, baselineSchema, type KnownFailure } from '../../contracts/report/baseline.ts';
import type { CheckEnd, Verdict } from '../../contracts/report/journal.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { examples } from '../testing/examples.ts';
import { tooLong, wrongType } from '../testing/findings.ts';
import { end, reportOf, run } from '../testing/runs.ts';
import { baselineText, partialBecause, updatedBaseline } from './update.ts';
import { baselineVerdictText, judgeBaseline } from './verdict.ts';

const id = 'patch-gate/reject';
const today = '2025-06-15';
const entry = (rest: Partial<KnownFailure> = {}): KnownFailure => ({ check: id, reason: 'a known defect', ...rest });
const baseline = (...known: KnownFailure[]): Baseline => ({ version: 1, known });
type Odd = Readonly<Record<string, readonly [Verdict, Partial<CheckEnd>?]>>;
const failing: Odd = { [id]: ['fail', { findings: [tooLong] }] };
const verdict = (odd: Odd, ...known: KnownFailure[]) => judgeBaseline(reportOf(run(odd)), baseline(...known), today);

describe('judging a run by its baseline', () => {
  test('without entries it is the run', () => {
    for (const events of Object.values(examples)) {
      const report = reportOf(events);
      expect(judgeBaseline(report, baseline(), today)).toMatchObject({
        exitCode: report.exitCode,
        known: [],
        stale: [],
      });
    }
  });

  test('a known failure does not fail it, and no verdict changes', () => {
    const report = reportOf(run(failing));
    const copy = structuredClone(report);
    expect(judgeBaseline(report, baseline(entry()), today)).toEqual({
      exitCode: 0,
      known: [entry()],
      fresh: [],
      stale: [],
      behind: [],
    });
    expect(report).toEqual(copy);
  });

  test('a new failure beside a known one fails it', () => {
    const both: Odd = { ...failing, 'disable-gate/envelope': ['fail', { findings: [wrongType] }] };
    expect(verdict(both, entry())).toMatchObject({
      exitCode: 1,
      fresh: [{ check: 'disable-gate/envelope', requirements: ['gate.isEnabled.type'] }],
      stale: [],
    });
  });

  // biome-ignore format: a table
  test.each<[why: RegExp, odd: Odd, entry: Partial<KnownFailure>]>([
    [/does not fail any more \(pass\)/,             {},                                                                    {}],
    [/does not fail any more \(warn\)/,             { [id]: ['warn', { findings: [{ ...tooLong, level: 'SHOULD' }] }] },   {}],
    [/was not run \(untested: no gate\)/,           { [id]: ['untested', { because: 'no gate' }] },                        {}],
    [/was not run \(not-applicable/,                { [id]: ['not-applicable'] },                                          {}],
    [/was not run$/,                                failing,                                                               { check: 'patch-gate/no-such-check' }],
    [/expired on 2025-06-14/,                       failing,                                                               { expires: '2025-06-14' }],
    [/now breaks gate\.isEnabled\.type too$/,       { [id]: ['fail', { findings: [tooLong, wrongType] }] },                { requirements: [tooLong.requirement] }],
    [/no longer breaks gate\.isEnabled\.type$/,     failing,                                                               { requirements: [tooLong.requirement, wrongType.requirement] }],
    [/breaks gate\.isEnabled.* and no longer breaks/, { [id]: ['fail', { findings: [wrongType] }] },                       { requirements: [tooLong.requirement] }],
  ])('an entry that %s fails it', (why, odd, rest) => {
    const result = verdict(odd, entry(rest));
    expect(result.stale).toEqual([{ entry: entry(rest), why: expect.stringMatching(why) }]);
    expect(result.exitCode).toBe(1);
    expect(result.known).toEqual([]);
  });

  test('an entry holds on its last day, and for its requirements in any order', () => {
    const known = entry({ expires: today, requirements: [wrongType.requirement, tooLong.requirement] });
    const both: Odd = { [id]: ['fail', { findings: [tooLong, wrongType, tooLong] }] };
    expect(verdict(both, known)).toMatchObject({ exitCode: 0, known: [known] });
  });

  test('what else is wrong with the run still counts', () => {
    const gap: Odd = { ...failing, 'disable-gate/envelope': ['untested', { because: 'no gate' }] };
    expect(verdict(gap, entry()).exitCode).toBe(3);
    expect(verdict({ ...failing, 'disable-gate/envelope': ['error', { because: 'a fault' }] }, entry()).exitCode).toBe(
      4,
    );
    const cut = reportOf(run(failing).slice(0, -1));
    expect(judgeBaseline(cut, baseline(entry()), today).exitCode).toBe(3);
    const interrupted = reportOf([...run(failing).slice(0, -1), end('interrupted')]);
    expect(judgeBaseline(interrupted, baseline(entry()), today).exitCode).toBe(130);
  });

  test('what a known failure keeps from being tested counts no more than the failure', () => {
    const frame = 'disable-gate/envelope';
    const odd: Odd = {
      [frame]: ['fail', { findings: [wrongType] }],
      'disable-gate/reject': ['untested', { because: 'no answer could be judged', blockedBy: frame }],
    };
    expect(verdict(odd, entry({ check: frame }))).toMatchObject({ exitCode: 0, behind: ['disable-gate/reject'] });
    expect(verdict(odd)).toMatchObject({ exitCode: 1, behind: [] });
    const other: Odd = { ...odd, 'disable-gate/reject': ['untested', { because: 'no gate' }] };
    expect(verdict(other, entry({ check: frame })).exitCode).toBe(3);
  });

  test('is told with the line to remove', () => {
    const known = [entry({ check: 'list-events/auth' }), entry({ issue: 'https://issues.example/7' })];
    const text = baselineText(baseline(...known));
    const file = {
      name: 'conform.baseline.json',
      lineOf: (check: string) => text.split('\n').findIndex(line => line.includes(check)) + 1,
    };
    const shown = baselineVerdictText(verdict({}, ...known), file, { colour: false });
    expect(shown).toContain('✗ patch-gate/reject does not fail any more (pass)');
    expect(shown).toContain('→ remove line 5 of conform.baseline.json');
    expect(shown).toContain('a known defect (https://issues.example/7)');
    expect(shown).toContain('0 known failures, 0 new ones, 2 stale entries; exit 1');
  });
});

describe('writing a baseline', () => {
  test('has an entry for each failure, keeps what was written by hand, and drops what passes', () => {
    const before = baseline(
      entry({ issue: 'https://issues.example/7', expires: '2026-01-01', requirements: ['old'] }),
      entry({ check: 'list-events/auth' }),
    );
    const update = updatedBaseline(before, reportOf(examples.failing), 'found today');
    expect(update).toMatchObject({
      added: ['patch-gate/envelope', 'list-segments/auth'],
      kept: [id],
      removed: ['list-events/auth'],
    });
    expect(update.baseline.known).toContainEqual(
      entry({ issue: 'https://issues.example/7', expires: '2026-01-01', requirements: [tooLong.requirement] }),
    );
    expect(update.baseline.known).toContainEqual({
      check: 'list-segments/auth',
      reason: 'found today',
      requirements: ['auth.required'],
    });
  });

  test('what it writes keeps its schema, reads back the same, and knows every failure', () => {
    const report = reportOf(examples.failing);
    const written = updatedBaseline({ version: 1, known: [] }, report, 'known').baseline;
    const read = JSON.parse(baselineText(written)) as Baseline;
    expect(read).toEqual(written);
    expect(validatorFor(baselineSchema)(read)).toEqual([]);
    expect(judgeBaseline(report, read, today)).toMatchObject({ fresh: [], stale: [] });
    expect(JSON.parse(baselineText({ version: 1, known: [] }))).toEqual({ version: 1, known: [] });
  });

  // biome-ignore format: a table
  test.each([
    [/cut off/,             examples.truncated],
    [/interrupted/,         examples.interrupted],
    [/unreachable/,         examples.unreachable],
    [/filtered/,            run({}, { only: ['patch-gate'] })],
    [/filtered/,            run({}, { skip: ['patch-gate'] })],
    [/replayed/,            run({}, { path: '3' })],
    [/shard/,               run({}, { shard: { index: 1, total: 2 } })],
  ])('a run that is partial (%s) is refused', (why, events) => {
    expect(partialBecause(reportOf(events))).toMatch(why);
    expect(partialBecause(reportOf(examples.failing))).toBeNull();
  });
});
