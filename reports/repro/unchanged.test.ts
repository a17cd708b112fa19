import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../contracts/json.ts';
import type { DiscrepancyKind, Exchange } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { putBackLines, shellParts } from './request-lines.ts';
import { comparisonOf } from './unchanged.ts';

const base = 'http://127.0.0.1:1';

const exchange = (method: string, path: string, body?: object, status = 200): Exchange => {
  const text = JSON.stringify(body);
  return {
    id: 'patch-gate/frame#1',
    request: {
      method,
      url: `${base}/console/v1/${path}`,
      headers: [],
      ...(body === undefined ? {} : { body: { text, bytes: text.length, truncated: false } }),
    },
    response: { status, headers: [], body: { text: '{}', bytes: 2, truncated: false } },
    durationMs: 1,
  };
};

const reading = exchange('PATCH', 'gates/a', {});
const list = exchange('GET', 'experiments/qualifying_events?limit=100&page=1');
const update = exchange('POST', 'experiments/qualifying_events/a', { sql: 'SELECT 1' });

const finding = (pointer: string, expected: Json, got: Json, kind: DiscrepancyKind = 'changed'): ReportedFinding => ({
  requirement: 'state.patch-only-sent',
  level: 'MUST',
  pointer,
  expected: 'what it was',
  actual: 'what it is',
  fault: { kind, expected, got },
  occurrences: 1,
});

const ofType = finding('/data/type', 'TEMPORARY', 'PERMANENT');
const ofItems = finding('/data/*/description', 'x', 'x.');

const compared = (one: ReportedFinding, exchanges: readonly Exchange[], body: Readonly<Record<string, unknown>> = {}) =>
  comparisonOf(one, exchanges, {
    baseUrls: [base],
    snapshots: [{ event: 'snapshot', endpoint: 'patch-gate', param: 'a', body }],
    parts: shellParts([]),
  });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unchanged-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the verdict of a script on two answers, the second after a write, by the lines of its judgement. */
function told(lines: readonly string[], before: object, after: object, isPutBack: '1' | 'no' | '' = ''): string {
  writeFileSync(join(folder, 'before'), JSON.stringify(before));
  writeFileSync(join(folder, 'answer'), JSON.stringify(after));
  const script = [
    `work=.; status=200; odd=; is_put_back=${isPutBack}`,
    'there() { echo there; exit; }; gone() { :; }; unknown() { echo "$1"; exit; }',
    ...lines,
    '[ -z "$odd" ] || unknown "$odd"; echo gone',
  ].join('\n');
  return spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' }).stdout.trim();
}

const gate = (members: object): object => ({ data: members });
const sources = (...descriptions: readonly [name: string, description: string][]): object => ({
  data: descriptions.map(([name, description]) => ({ name, description })),
});

describe('what was to stay as it was', () => {
  test('is compared with the reading before the last write', () => {
    const comparison = compared(ofType, [reading, exchange('PATCH', 'gates/a', { tags: [] }), reading]);
    expect(comparison?.before).toBe(0);
    const lines = comparison?.judgement ?? [];
    expect(told(lines, gate({ type: 'TEMPORARY' }), gate({ type: 'PERMANENT' }))).toBe('there');
    expect(told(lines, gate({ type: 'TEMPORARY' }), gate({ type: 'TEMPORARY' }))).toBe('gone');
    // A server with values other than those of the report.
    expect(told(lines, gate({ type: 'PERMANENT' }), gate({ type: 'PERMANENT' }))).not.toBe('there');
  });

  test('is compared with the answer of another operation that showed it so', () => {
    const shown = (one: Exchange, type: string): Exchange => {
      const text = JSON.stringify(gate({ type }));
      return { ...one, response: { status: 200, headers: [], body: { text, bytes: text.length, truncated: false } } };
    };
    const enabling = (type: string) => shown(exchange('PATCH', 'gates/a', { isEnabled: true }), type);
    const disabling = exchange('PUT', 'gates/a/disable');
    const comparison = compared(ofType, [enabling('TEMPORARY'), disabling]);
    expect(comparison?.before).toBe(0);
    const lines = comparison?.judgement ?? [];
    expect(told(lines, gate({ type: 'TEMPORARY' }), gate({ type: 'PERMANENT' }))).toBe('there');
    expect(told(lines, gate({ type: 'PERMANENT' }), gate({ type: 'PERMANENT' }))).not.toBe('there');
    expect(compared(ofType, [enabling('PERMANENT'), disabling])).toBeUndefined();
    const other = shown(exchange('PATCH', 'gates/b', {}), 'TEMPORARY');
    expect(compared(ofType, [other, disabling])).toBeUndefined();
    const sent = exchange('PATCH', 'gates/a', { type: 'TEMPORARY' });
    expect(compared(ofType, [enabling('TEMPORARY'), sent])).toBeUndefined();
  });

  test('is compared with the value before the run as well, once that was put back', () => {
    const steps = [reading, exchange('PATCH', 'gates/a', { tags: [] }), reading];
    const lines = compared(ofType, steps, { type: 'TEMPORARY' })?.judgement ?? [];
    const [changed, right] = [gate({ type: 'PERMANENT' }), gate({ type: 'TEMPORARY' })];
    expect(told(lines, changed, changed, '1')).toBe('there');
    expect(told(lines, changed, changed, '')).toBe('gone');
    expect(told(lines, right, right, '1')).toBe('gone');
    expect(told(lines, changed, changed, 'no')).toBe('it could not be put back');
    // A value that a later step set is not the value before the run.
    const later = compared(ofType, steps, { type: 'PERMANENT' })?.judgement ?? [];
    expect(told(later, changed, changed, '1')).toBe('gone');
  });

  test.each([
    [200, '1'],
    [403, 'no'],
    ['000', 'no'],
  ])('is put back only by a write that is accepted (%s)', (status, isPutBack) => {
    const snapshots = [{ event: 'snapshot', endpoint: 'patch-gate', param: 'a', body: { type: 'TEMPORARY' } } as const];
    const writes = [exchange('PATCH', 'gates/a', { type: 'PERMANENT' })];
    const putBack = putBackLines(writes, { baseUrls: [base], snapshots, parts: shellParts([]) }, '/data/type');
    const script = [
      `work=. SERVICE_API_KEY=k; send() { status=${status}; }`,
      ...putBack,
      'put_back; echo "$is_put_back"',
    ];
    const { stdout } = spawnSync('sh', ['-c', script.join('\n')], { cwd: folder, encoding: 'utf8' });
    expect(stdout.trim()).toBe(isPutBack);
  });

  test('cannot be told where nothing puts it back and it differs from before the run', () => {
    const lines = compared(ofType, [reading, update, reading])?.judgement ?? [];
    const changed = gate({ type: 'PERMANENT' });
    expect(told(lines, changed, changed, '1')).toBe('it is not as it was before the run');
  });

  test('in a list is so of each item that was not written', () => {
    const comparison = compared(ofItems, [update, list, update, list]);
    expect(comparison?.before).toBe(1);
    const lines = comparison?.judgement ?? [];
    expect(told(lines, sources(['a', 'x'], ['b', 'x']), sources(['a', 'y'], ['b', 'x']))).toBe('gone');
    expect(told(lines, sources(['a', 'x'], ['b', 'x']), sources(['a', 'x'], ['b', 'x.']))).toBe('there');
    // Lists grow, shrink and reorder.
    expect(told(lines, sources(['b', 'x'], ['c', 'x']), sources(['d', 'z'], ['b', 'x']))).toBe('gone');
  });

  test('in a list is so of an item whose write was refused', () => {
    const refused = exchange('POST', 'experiments/qualifying_events/a', { sql: '' }, 400);
    const lines = compared(ofItems, [list, refused, list])?.judgement ?? [];
    expect(told(lines, sources(['a', 'x']), sources(['a', 'y']))).toBe('there');
  });

  // biome-ignore format: a table
  const none: readonly (readonly [what: string, finding: ReportedFinding, steps: readonly Exchange[]])[] = [
    ['nothing was read before',                  ofType,                                                      [exchange('PATCH', 'gates/a', { tags: [] }), reading]],
    ['nothing was written',                      ofType,                                                      [reading, reading]],
    ['disabling was to change it',               finding('/data/isEnabled', true, false), [reading, exchange('PUT', 'gates/a/disable'), reading]],
    ['a value that was sent is expected',        finding('/data/type', 'TEMPORARY', 'PERMANENT', 'lost'), [reading, update, reading]],
  ];
  test.each(none)('is not compared where %s', (_what, one, steps) => {
    expect(compared(one, steps)).toBeUndefined();
  });

  test('what a write in between carried is held against what it sent', () => {
    const write = exchange('PATCH', 'gates/a', { type: 'TEMPORARY' });
    const lines = compared(ofType, [reading, write, reading])?.judgement ?? [];
    expect(told(lines, gate({ type: 'PERMANENT' }), gate({ type: 'PERMANENT' }))).toBe('there');
    expect(told(lines, gate({ type: 'PERMANENT' }), gate({ type: 'TEMPORARY' }))).toBe('gone');
  });

  test('what was sent may have gained members, and no more', () => {
    const groups = finding('/data/groups', [], [1]);
    const sent = [{ name: 'A', size: 50 }, { name: 'B' }];
    const lines = compared(groups, [reading, exchange('PATCH', 'gates/a', { groups: sent }), reading])?.judgement ?? [];
    const shown = (...items: object[]): object => gate({ groups: items });
    expect(told(lines, {}, shown({ name: 'A', size: 50, id: 'x' }, { name: 'B', disabled: false }))).toBe('gone');
    expect(told(lines, {}, shown({ name: 'A', size: 50 }, { name: 'C' }))).toBe('there');
    expect(told(lines, {}, shown({ name: 'A', size: 50 }))).toBe('there');
    expect(told(lines, {}, shown({ name: 'A' }, { name: 'B' }))).toBe('there');
  });

  test('a finding whose answer shows just what was sent shows nothing by it', () => {
    const write = exchange('PATCH', 'gates/a', { type: 'PERMANENT' });
    const text = '{"data":{"type":"PERMANENT"}}';
    const shown = { ...reading, response: { status: 200, headers: [], body: { text, bytes: 29, truncated: false } } };
    expect(compared({ ...ofType, exchange: shown }, [reading, write, shown])).toBeNull();
  });

  test('stays where a request that was to be refused was, whatever it carried', () => {
    const refused = exchange('PUT', 'gates/a/disable', undefined, 401);
    expect(compared(ofType, [reading, refused, reading])?.before).toBe(0);
  });
});
