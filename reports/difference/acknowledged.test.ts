import { describe, expect, test } from 'vitest';
import {
  type AcknowledgedDifference,
  acknowledgedSchema,
  type DifferencePlace,
} from '../../contracts/report/difference.ts';
import { validatorFor } from '../../contracts/validation.ts';
import {
  comparedServers,
  comparisonOf,
  openPlace,
  place,
  side,
  unsaidPlace,
} from '../testing/compared-servers.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { acknowledgedText, updatedAcknowledged } from './acknowledged.ts';
import { differenceReport, extentOf } from './report.ts';

const today = '2025-06-15';
const entryOf = (one: DifferencePlace, rest: Partial<AcknowledgedDifference> = {}): AcknowledgedDifference => {
  const { endpoint, pointer, aspect, label, requirement } = one;
  return {
    endpoint,
    pointer,
    aspect,
    label,
    ...(requirement === undefined ? {} : { requirement }),
    reason: 'T-7',
    ...rest,
  };
};
const file = (...acknowledged: AcknowledgedDifference[]) => ({
  name: 'known.json',
  lines: acknowledged.map((_, index) => `line ${index + 4}`),
  acknowledged: { version: 1 as const, acknowledged },
});
const judged = (
  places: readonly DifferencePlace[],
  entries: readonly AcknowledgedDifference[],
  odd: Parameters<typeof comparedServers>[1] = {},
) => differenceReport(comparedServers(places, odd), { file: file(...entries), today });
const { options } = comparedServers([]);

describe('the acknowledged differences', () => {
  test('one that is known does not fail a comparison, and keeps its reason', () => {
    expect(judged([place()], [entryOf(place(), { issue: 'i/7' })])).toMatchObject({
      verdict: 'alike',
      exitCode: 0,
      differences: [{ id: 'D1', acknowledged: { reason: 'T-7', issue: 'i/7' } }],
      acknowledged: { file: 'known.json', known: 1, stale: [], unjudged: [] },
    });
  });

  test('another place of the same cause is a difference of its own', () => {
    const fresh = place({ endpoint: 'disable-gate' });
    expect(judged([place(), fresh], [entryOf(place())])).toMatchObject({
      exitCode: 1,
      differences: [
        { id: 'D1', endpoints: ['disable-gate'] },
        { id: 'D2', acknowledged: { reason: 'T-7' } },
      ],
    });
  });

  // biome-ignore format: a table
  test.each<[what: string, other: Partial<DifferencePlace>]>([
    ['endpoint',    { endpoint: 'disable-gate' }],
    ['place',       { pointer: '/data/name' }],
    ['way',         { aspect: 'status' }],
    ['side',        { label: 'a-breaks' }],
    ['requirement', { requirement: 'gate.name.pattern' }],
  ])('one of another %s is not known, and the entry is stale', (_, other) => {
    expect(judged([place(other)], [entryOf(place())])).toMatchObject({
      exitCode: 1,
      acknowledged: { known: 0, stale: [{ why: 'is there no more', line: 'line 4', reason: 'T-7' }] },
    });
  });

  test('an entry that nothing needs fails a comparison in which nothing differs', () => {
    expect(judged([], [entryOf(openPlace())])).toMatchObject({ verdict: 'different', exitCode: 1 });
  });

  test('an entry that has expired fails, and holds on its last day', () => {
    expect(judged([place()], [entryOf(place(), { expires: '2025-06-14' })])).toMatchObject({
      exitCode: 1,
      acknowledged: { known: 0, stale: [{ why: 'may not be there any more: the entry expired on 2025-06-14' }] },
    });
    expect(judged([place()], [entryOf(place(), { expires: today })]).exitCode).toBe(0);
  });

  const gone = {
    'patch-gate/envelope': ['untested'],
    'patch-gate/reject': ['untested'],
    'patch-gate/auth': ['untested'],
    'patch-gate/headers': ['untested'],
  } as const;
  // biome-ignore format: a table
  test.each<[why: string, odd: Parameters<typeof comparedServers>[1], entry: Partial<AcknowledgedDifference>]>([
    ['the comparison was filtered (--only or --skip)', { options: { ...options, only: ['*/reject'] } },  {}],
    ['nothing of its endpoint was compared',   { reports: { b: reportOf(run({}, {}, ['disable-gate'])) } }, {}],
    ['nothing of its endpoint was compared',   { reports: { b: reportOf(run({ ...gone })) } },       {}],
    ['a server differs from itself there',     { comparison: comparisonOf([], { noise: [{ endpoint: 'patch-gate', pointer: 'status', because: 'A differs from itself here', count: 1 }] }) }, {}],
    ['it is seen only sometimes',              {},                                                   { sometimes: true }],
    ['profile standard sends less than thorough', {},                                                { found: { profile: 'thorough', seed: 1 } }],
    ['it was found with seed 7',               {},                                                   { found: { profile: 'quick', seed: 7 } }],
  ])('an entry is unjudged where %s', (why, odd, rest) => {
    expect(judged([], [entryOf(place(), rest)], odd)).toMatchObject({
      exitCode: 0,
      acknowledged: { known: 0, stale: [], unjudged: [{ why }] },
    });
  });

  test('an entry is unjudged where a clause is broken in its place that nobody has acknowledged', () => {
    const open = entryOf(openPlace());
    expect(judged([place()], [open]).acknowledged).toMatchObject({
      stale: [],
      unjudged: [{ why: 'a clause is broken there' }],
    });
    expect(judged([place()], [open, entryOf(place())]).acknowledged).toMatchObject({
      known: 1,
      stale: [{ why: 'is there no more' }],
    });
  });

  test('an entry is unjudged where a side died, and the comparison is incomplete', () => {
    const b = side('https://new.example.test/', { outcome: 'unreachable' });
    expect(judged([], [entryOf(place())], { b })).toMatchObject({
      exitCode: 3,
      acknowledged: { stale: [], unjudged: [{ why: 'the comparison did not come to its end' }] },
    });
  });

  test('an entry is needed by a difference that --fail-on does not name, too', () => {
    expect(judged([openPlace()], [entryOf(openPlace())])).toMatchObject({
      exitCode: 0,
      acknowledged: { known: 1, stale: [] },
    });
  });
});

describe('writing them', () => {
  const written = (
    places: readonly DifferencePlace[],
    before: readonly AcknowledgedDifference[],
    failOn: 'must' | 'open' | 'any' = 'open',
  ) =>
    updatedAcknowledged({ version: 1, acknowledged: [...before] }, places, extentOf(comparedServers(places)), {
      reason: 'the new gateway',
      failOn,
    });

  test('adds what would fail, keeps what somebody wrote, and takes out what is gone', () => {
    const kept = entryOf(place(), { issue: 'i/7', expires: '2026-01-01' });
    const update = written([place(), openPlace(), unsaidPlace()], [kept, entryOf(place({ pointer: '/data/name' }))]);
    expect(update.acknowledged.acknowledged).toEqual([
      kept,
      { ...entryOf(openPlace()), reason: 'the new gateway', found: { profile: 'standard', seed: 1 } },
    ]);
    expect(update).toMatchObject({
      added: ['patch-gate status (left open open.error-status)'],
      kept: ['patch-gate outcome status (B breaks gate.description.maxLength)'],
      removed: ['patch-gate outcome /data/name (B breaks gate.description.maxLength)'],
    });
  });

  test('keeps entries of which the comparison says nothing', () => {
    const rare = entryOf(place(), { sometimes: true });
    expect(written([], [rare])).toMatchObject({ acknowledged: { acknowledged: [rare] }, removed: [] });
  });

  test('leaves nothing that fails, and is the same when it is written again', () => {
    const places = [place(), openPlace(), unsaidPlace()];
    const { acknowledged } = written(places, [], 'any');
    expect(judged(places, acknowledged.acknowledged, { options: { ...options, failOn: 'any' } })).toMatchObject({
      exitCode: 0,
      verdict: 'alike',
    });
    expect(written(places, acknowledged.acknowledged, 'any').acknowledged).toEqual(acknowledged);
  });

  test('writes an entry a line, which reads back the same and keeps its schema', () => {
    const { acknowledged } = written([place(), openPlace({ pointer: '/data/\u202eabc' })], []);
    const text = acknowledgedText(acknowledged);
    expect(text).not.toMatch(/\u202e/);
    expect(text.split('\n').filter(line => line.includes('"endpoint"'))).toHaveLength(2);
    expect(JSON.parse(text)).toEqual(acknowledged);
    expect(validatorFor(acknowledgedSchema)(JSON.parse(text))).toEqual([]);
    expect(JSON.parse(acknowledgedText({ version: 1, acknowledged: [] }))).toEqual({ version: 1, acknowledged: [] });
  });
});
