import { describe, expect, test } from 'vitest';
import type { Finding } from '../../contracts/report/evidence.ts';
import { createBridge, endingMessage, NonConformance, type UnitEnd } from './bridge.ts';

const finding: Finding = {
  requirement: 'gate.isEnabled',
  level: 'MUST',
  pointer: '',
  expected: 'a boolean',
  actual: '\u001b[2J\u202e1\nnot a line of its own',
  occurrences: 2,
};
const end: UnitEnd = { id: 'patch-gate/schema', level: 'MUST', verdict: 'fail', findings: [finding] };

describe('the message of a test', () => {
  test('shows what a target sent so that it cannot play with the terminal', () => {
    const message = endingMessage({ ...end, because: 'a\u0007b' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(message.split('\n')).toContain('got:      \\u{1b}[2J\\u{202e}1\\u{a}not a line of its own');
    expect(message.split('\n')).toContain('a\\u{7}b');
  });

  test('is bounded', () => {
    const body = { text: 'x'.repeat(10_000), bytes: 10_000, truncated: false };
    const exchange = {
      id: 'patch-gate/schema#0',
      request: { method: 'PATCH', url: 'http://h/', headers: [], body },
      response: { status: 200, headers: [], body },
      durationMs: 1,
    };
    const message = endingMessage({ ...end, findings: Array(40).fill({ ...finding, exchange }) });
    expect(message.length).toBeLessThan(12_000);
    expect(message).toContain('and 35 more');
  });

  test('has no stack of the suite', () => {
    expect(new NonConformance('one\ntwo').stack).toBe('NonConformance: one\ntwo');
  });
});

describe('the bridge from a run to its tests', () => {
  const units = [
    { id: 'a/x', level: 'MUST' },
    { id: 'a/y', level: 'SHOULD' },
  ] as const;

  test('a check that the run did not come to is untested, with what ended the run', async () => {
    const bridge = createBridge(units);
    bridge.event({
      event: 'run-end',
      outcome: 'unreachable',
      because: 'no answer',
      stats: { requests: 1, cases: 0, durationMs: 1 },
    });
    expect(bridge.allEnded()).toBe(false);
    bridge.follow(Promise.resolve());
    expect(await bridge.end('a/y')).toMatchObject({ level: 'SHOULD', verdict: 'untested', because: 'no answer' });
    expect(await bridge.over()).toMatchObject({ outcome: 'unreachable' });
    expect(bridge.allEnded()).toBe(true);
  });

  test('a run that fails makes every check that has not ended an error, never a pass', async () => {
    const bridge = createBridge(units);
    bridge.follow(Promise.reject(new Error('broken')));
    expect(await bridge.end('a/x')).toMatchObject({ verdict: 'error', because: 'broken' });
    await expect(bridge.over()).rejects.toThrow('broken');
  });

  test('a check that is not of the run is a mistake', async () => {
    await expect(createBridge(units).end('a/z')).rejects.toThrow('no check of this run');
  });
});
