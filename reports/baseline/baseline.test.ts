import { describe, expect, test } from 'vitest';
import { type Baseline, baselineSchema, type KnownDefect } from '../../contracts/report/baseline.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, RunEvent, Verdict } from '../../contracts/report/journal.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { testSuites } from '../formats/cases.ts';
import { examples } from '../testing/examples.fixture.ts';
import { noContentType, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { end, reportOf, run } from '../testing/runs.fixture.ts';
import { baselineText, partialBecause, updatedBaseline } from './update.ts';
import { baselineVerdictText, failingDefects, judgeBaseline } from './verdict.ts';

const id = 'patch-gate/reject';
const today = '2025-06-15';
/** Returns an entry for an accepted description of 1001 characters. */
const entry = (rest: Partial<KnownDefect> = {}): KnownDefect => ({
  endpoint: 'patch-gate',
  check: 'reject',
  requirement: tooLong.requirement,
  pointer: '/description',
  deviation: 'accepted',
  reason: 'a known defect',
  ...rest,
});
const baseline = (...known: KnownDefect[]): Baseline => ({ version: 2, known });
type Odd = Readonly<Record<string, readonly [Verdict, Partial<CheckEnd>?]>>;
const traffic = { sources: ['x.har'], soleWriter: false, settleMs: 0, failOn: 'any' as const };
const failing: Odd = { [id]: ['fail', { findings: [tooLong] }] };
const withFindings = (...findings: Finding[]): Odd => ({ [id]: ['fail', { findings }] });
const judged = (events: readonly RunEvent[], ...known: KnownDefect[]) =>
  judgeBaseline(reportOf(events), baseline(...known), today);
const verdict = (odd: Odd, ...known: KnownDefect[]) => judged(run(odd), ...known);

describe('judging a run by its baseline', () => {
  test('without entries it is the run', () => {
    for (const events of Object.values(examples))
      expect(judged(events)).toMatchObject({ exitCode: reportOf(events).exitCode, known: [], stale: [] });
  });

  test('a known failure does not fail it, and no verdict changes', () => {
    const report = reportOf(run(failing));
    const copy = structuredClone(report);
    expect(judgeBaseline(report, baseline(entry({ issue: 'i/7' })), today)).toEqual({
      exitCode: 0,
      known: [{ finding: `${id}#1`, reason: 'a known defect', issue: 'i/7' }],
      fresh: [],
      stale: [],
      unjudged: [],
      behind: [],
    });
    expect(report).toEqual(copy);
  });

  test('a new failure beside a known one fails it', () => {
    const both: Odd = { ...failing, 'disable-gate/envelope': ['fail', { findings: [wrongType] }] };
    expect(verdict(both, entry())).toMatchObject({ exitCode: 1, fresh: ['disable-gate/envelope#1'], stale: [] });
  });

  test('a known failure does not excuse what its check left out because there was too much', () => {
    const leftOut = (failures: number): Odd => ({
      [id]: ['fail', { findings: [tooLong], leftOut: { failures, warnings: 9 } }],
    });
    expect(verdict(leftOut(1), entry())).toMatchObject({ exitCode: 1, fresh: [id], known: [{ finding: `${id}#1` }] });
    expect(verdict(leftOut(0), entry())).toMatchObject({ exitCode: 0, fresh: [] });
    // A defect that is not shown may be among those that are left out.
    const other = entry({ pointer: '/name' });
    expect(verdict(leftOut(1), other)).toMatchObject({
      stale: [],
      unjudged: [{ why: 'its check has more failures than a report holds' }],
    });
    expect(verdict(leftOut(0), other)).toMatchObject({ stale: [{}], unjudged: [] });
    const { exitCode, ...rest } = verdict(leftOut(1), entry());
    expect(baselineVerdictText({ file: 'known.json', ...rest }, exitCode, { colour: false })).toContain(
      '✗ patch-gate/reject has more failures than a report holds, and may have new ones: mend some',
    );
  });

  test('a case of a test report then fails by what is left out, and not by what is known', () => {
    const report = reportOf(run({ [id]: ['fail', { findings: [tooLong], leftOut: { failures: 1, warnings: 0 } }] }));
    const { exitCode: _, ...judgement } = judgeBaseline(report, baseline(entry()), today);
    const cases = testSuites({ ...report, baseline: { file: 'known.json', ...judgement } }).flatMap(
      suite => suite.cases,
    );
    expect(cases.filter(({ outcome }) => outcome === 'failure')).toMatchObject([
      { name: 'reject', message: 'more failures than a report holds; those listed are known' },
    ]);
  });

  const { counterexample } = tooLong as Required<Finding>;
  const { exchange } = tooLong as Required<Finding>;
  const response = { ...(exchange.response as object), status: 500 } as typeof exchange.response;
  // biome-ignore format: a table
  test.each<[what: string, other: Finding]>([
    ['of another requirement',           { ...tooLong, requirement: 'gate.description.type' }],
    ['of another field',                 { ...tooLong, counterexample: { ...counterexample, pointer: '/name' } }],
    ['of another kind',                  { ...tooLong, actual: 'status 500', fault: { kind: 'failed' }, exchange: { ...exchange, response } } as Finding],
    ['at another place of an answer',    wrongType],
  ])('a failure %s under the same check is new, and does not hide behind the known one', (_, other) => {
    expect(verdict(withFindings(tooLong, other), entry())).toMatchObject({
      exitCode: 1,
      known: [{ finding: `${id}#1` }],
      fresh: [`${id}#2`],
      stale: [],
    });
    expect(verdict(withFindings(other), entry())).toMatchObject({
      exitCode: 1,
      fresh: [`${id}#1`],
      stale: [{ why: expect.stringMatching(/is there no more \(patch-gate\/reject: fail\)/) }],
    });
  });

  test('the position in an array is not what makes a defect another one', () => {
    const at = (position: number): Finding => ({ ...wrongType, pointer: `/data/rules/${position}/name` });
    const [defect] = [...failingDefects(reportOf(run(withFindings(at(0), at(7)))))].map(([, own]) => own);
    expect(defect).toMatchObject({ names: [`${id}#1`, `${id}#2`], defect: { pointer: '/data/rules/*/name' } });
    const known = entry({ ...defect?.defect });
    expect(verdict(withFindings(at(3)), known)).toMatchObject({ exitCode: 0, fresh: [], stale: [] });
  });

  test('a warning is no failure, unless the run is strict', () => {
    const warned: Odd = { 'list-segments/headers': ['warn', { findings: [noContentType] }] };
    const known = entry({
      endpoint: 'list-segments',
      check: 'headers',
      requirement: noContentType.requirement,
      pointer: noContentType.pointer,
      deviation: 'frame',
    });
    expect(judged(run(warned, { strict: true }), known)).toMatchObject({ exitCode: 0, fresh: [] });
    expect(judged(run(warned, { strict: true }))).toMatchObject({ exitCode: 1, fresh: ['list-segments/headers#1'] });
    expect(judged(run(warned), known)).toMatchObject({
      exitCode: 0,
      stale: [],
      unjudged: [{ why: 'this run only warns of it' }],
    });
  });

  // biome-ignore format: a table
  test.each<[why: RegExp, odd: Odd, entry: Partial<KnownDefect>]>([
    [/is there no more \(patch-gate\/reject: pass\)/, {},        {}],
    [/is of a check that this run does not have/,    failing,   { check: 'no-such-check' }],
    [/expired on 2025-06-14/,                        failing,   { expires: '2025-06-14' }],
    [/is there no more/,                             {},        { found: { profile: 'quick', seed: 42 } }],
  ])('an entry that %s fails it', (why, odd, rest) => {
    const result = verdict(odd, entry(rest));
    expect(result.stale).toMatchObject([{ why: expect.stringMatching(why) }]);
    expect(result.exitCode).toBe(1);
    expect(result.known).toEqual([]);
  });

  // biome-ignore format: a table
  test.each<[why: RegExp, events: readonly RunEvent[], entry: Partial<KnownDefect>]>([
    [/left its check out/,          run({}, { only: ['disable-gate'] }, ['disable-gate']),           {}],
    [/left its check out/,          run({}, { shard: { index: 1, total: 3 } }, ['disable-gate']),    {}],
    [/replayed one case/,           run({}, { path: '3' }),                                          {}],
    [/has no check of that name/,   run({}, { traffic }),                                            { check: 'accept' }],
    [/has no check of that name/,   run({}),                                                         { check: 'client-requests' }],
    [/has no check of that name/,   run({}),                                                         { check: 'observed-state' }],
    [/has no check of that name/,   run({}),                                                         { check: 'refused-requests' }],
    [/not run \(untested: no gate/, run({ [id]: ['untested', { because: 'no gate' }] }),             {}],
    [/not run \(not-applicable/,    run({ [id]: ['not-applicable'] }),                               {}],
    [/standard sends less than/,    run({}),                                                         { found: { profile: 'thorough', seed: 42 } }],
    [/found with seed 7/,           run({}),                                                         { found: { profile: 'quick', seed: 7 } }],
    [/only sometimes/,              run({}),                                                         { sometimes: true }],
  ])('an entry of which a run says nothing (%s) is not stale', (why, events, rest) => {
    const result = judged(events, entry(rest));
    expect(result).toMatchObject({ stale: [], known: [], unjudged: [{ why: expect.stringMatching(why) }] });
    expect(result.exitCode).toBe(reportOf(events).exitCode);
  });

  test('an entry holds on its last day', () => {
    expect(verdict(failing, entry({ expires: today }))).toMatchObject({ exitCode: 0, known: [{ finding: `${id}#1` }] });
  });

  test('what else is wrong with the run still counts', () => {
    const gap: Odd = { ...failing, 'disable-gate/envelope': ['untested', { because: 'no gate' }] };
    expect(verdict(gap, entry()).exitCode).toBe(3);
    expect(verdict({ ...failing, 'disable-gate/envelope': ['error', { because: 'a fault' }] }, entry()).exitCode).toBe(
      4,
    );
    expect(judged(run(failing).slice(0, -1), entry()).exitCode).toBe(3);
    expect(judged([...run(failing).slice(0, -1), end('interrupted')], entry()).exitCode).toBe(130);
  });

  test('what a known failure keeps from being tested counts no more than the failure', () => {
    const frame = 'disable-gate/envelope';
    const known = entry({
      endpoint: 'disable-gate',
      check: 'envelope',
      requirement: wrongType.requirement,
      pointer: wrongType.pointer,
      deviation: 'value',
    });
    const odd: Odd = {
      [frame]: ['fail', { findings: [wrongType] }],
      'disable-gate/reject': ['untested', { because: 'no answer could be judged', blockedBy: frame }],
    };
    expect(verdict(odd, known)).toMatchObject({ exitCode: 0, behind: ['disable-gate/reject'] });
    expect(verdict(odd)).toMatchObject({ exitCode: 1, behind: [] });
    const other: Odd = { ...odd, 'disable-gate/reject': ['untested', { because: 'no gate' }] };
    expect(verdict(other, known).exitCode).toBe(3);
  });

  test('failures that no report lists are not known', () => {
    const many = withFindings(...Array.from({ length: 60 }, () => tooLong));
    expect(verdict(many, entry())).toMatchObject({ exitCode: 1, fresh: [id] });
  });

  test('is told with the line to remove', () => {
    const known = [entry({ endpoint: 'list-events', check: 'auth' }), entry()];
    const { exitCode, ...rest } = judgeBaseline(reportOf(run({})), baseline(...known), today, ['line 4', 'line 5']);
    const shown = baselineVerdictText({ file: 'conform.baseline.json', ...rest }, exitCode, { colour: false });
    expect(shown).toContain('✗ patch-gate/reject accepted /description (gate.description.maxLength) is there no more');
    expect(shown).toContain('→ remove line 5 of conform.baseline.json');
    expect(shown).toContain('its reason was: a known defect');
    expect(shown).toContain('0 known failures, 0 new ones, 2 stale entries; exit 1');
  });
});

describe('writing a baseline', () => {
  const written = (
    report = reportOf(examples.failing),
    before = baseline(),
    older?: Parameters<typeof updatedBaseline>[3],
  ) => updatedBaseline(before, report, 'found today', older);

  test('has an entry for each defect, keeps what was written by hand, and drops what is gone', () => {
    const by = {
      issue: 'https://issues.example/7',
      expires: '2026-01-01',
      found: { profile: 'quick', seed: 42 },
    } as const;
    const gone = entry({ endpoint: 'list-events', check: 'auth' });
    const update = written(undefined, baseline(entry(by), gone));
    expect(update).toMatchObject({
      added: [
        'patch-gate/envelope value /data/isEnabled (gate.isEnabled.type)',
        expect.stringMatching(/^list-segments\/auth/),
      ],
      kept: ['patch-gate/reject accepted /description (gate.description.maxLength)'],
      removed: [expect.stringMatching(/^list-events\/auth/)],
    });
    expect(update.baseline.known).toContainEqual(entry(by));
    expect(update.baseline.known).toContainEqual({
      endpoint: 'list-segments',
      check: 'auth',
      requirement: 'auth.required',
      pointer: '',
      deviation: 'unanswered',
      reason: 'found today',
      found: { profile: 'standard', seed: 42 },
    });
  });

  test('what is seen only sometimes is marked so, and entries of which the run says nothing stay', () => {
    const bigger = entry({ requirement: 'other', found: { profile: 'thorough', seed: 42 } });
    const { baseline: after } = written(undefined, baseline(bigger));
    expect(after.known).toContainEqual(bigger);
    expect(after.known.map(({ check, sometimes }) => [check, sometimes])).toContainEqual(['envelope', true]);
    expect(after.known.map(({ check, sometimes }) => [check, sometimes])).toContainEqual(['reject', undefined]);
  });

  test('the reasons of a baseline of version 1 are taken over', () => {
    const older = {
      version: 1 as const,
      known: [
        { check: id, reason: 'ticket 7', expires: '2026-01-01' },
        { check: 'list-segments/auth', reason: 'ticket 8', requirements: ['another.one'] },
      ],
    };
    const update = written(undefined, undefined, older);
    expect(update.baseline.known).toContainEqual(
      entry({ reason: 'ticket 7', expires: '2026-01-01', found: { profile: 'standard', seed: 42 } }),
    );
    expect(update).toMatchObject({ added: { length: 2 }, kept: { length: 1 } });
  });

  test('what it writes keeps its schema, reads back the same, and knows every failure', () => {
    const report = reportOf(examples.failing);
    const after = written(report).baseline;
    const read = JSON.parse(baselineText(after)) as Baseline;
    expect(read).toEqual(after);
    expect(validatorFor(baselineSchema)(read)).toEqual([]);
    expect(judgeBaseline(report, read, today)).toMatchObject({ fresh: [], stale: [] });
    expect(JSON.parse(baselineText(baseline()))).toEqual(baseline());
  });

  test('shows nothing invisible that a target put into a pointer', () => {
    const odd = entry({ pointer: '/data/\u202eabc\n' });
    const text = baselineText(baseline(odd));
    expect(text).not.toMatch(/\u202e/);
    expect(JSON.parse(text)).toEqual(baseline(odd));
  });

  // biome-ignore format: a table
  test.each([
    [/cut off/,             examples.truncated],
    [/interrupted/,         examples.interrupted],
    [/unreachable/,         examples.unreachable],
    [/after 1 cause/,       [...run({}).slice(0, -1), end('complete', 'the run was to end after 1 cause (--bail)')]],
    [/filtered/,            run({}, { only: ['patch-gate'] })],
    [/filtered/,            run({}, { skip: ['patch-gate'] })],
    [/replayed/,            run({}, { path: '3' })],
    [/shard/,               run({}, { shard: { index: 1, total: 2 } })],
  ])('a run that is partial (%s) is refused', (why, events) => {
    expect(partialBecause(reportOf(events))).toMatch(why);
    expect(partialBecause(reportOf(examples.failing))).toBeNull();
  });
});
