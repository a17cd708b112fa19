import { describe, expect, test } from 'vitest';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import type { FailureKind } from '../protocol/reply.ts';
import { GivenUp, RunStopped } from '../protocol/stop.ts';
import { createHealthMonitor, type HealthMonitor, type HealthMonitorOptions } from './health-monitor.ts';

const monitorOf = (options: Partial<HealthMonitorOptions> = {}): HealthMonitor =>
  createHealthMonitor({ probe: async () => true, ...options });
const failed = (kind: FailureKind, more: Given = {}): Answer =>
  givenAnswer({ failure: { kind, message: `it ended as ${kind}` }, ...more });
const times = (count: number, act: (index: number) => void): void => {
  for (let index = 0; index < count; index += 1) act(index);
};
/** Admits the minimal request of a check; returns null, or the error. */
const admitted = async (
  monitor: HealthMonitor,
  id = 'patch-gate/accepts#0',
  more: Partial<ApiRequest> = {},
): Promise<Error | null> => {
  const endpoint = id.slice(0, id.indexOf('/')) as 'patch-gate';
  try {
    await monitor.admit(id, { endpoint, ...more });
    return null;
  } catch (error) {
    return error as Error;
  }
};
const gate = (id: string): Given => ({ endpoint: 'patch-gate', id });

test('an abort stops the run', async () => {
  const controller = new AbortController();
  const monitor = monitorOf({ signal: controller.signal });
  expect(await admitted(monitor)).toBeNull();
  controller.abort();
  expect(await admitted(monitor)).toMatchObject({ reason: 'interrupted' });
  expect(monitor.stopped()).toBeInstanceOf(RunStopped);
});

test('the limit of requests stops the run at the next one', async () => {
  const monitor = monitorOf({ maxRequests: 2 });
  expect(await admitted(monitor)).toBeNull();
  expect(await admitted(monitor)).toBeNull();
  expect(monitor.stopped()).toBeNull();
  expect(await admitted(monitor)).toMatchObject({ reason: 'limit', remedy: 'a higher --max-requests, or none' });
});

describe('a target that is silent', () => {
  test('is probed after six requests in a row, once, while the next ones wait', async () => {
    let probes = 0;
    let answer: (alive: boolean) => void = () => {};
    const monitor = monitorOf({
      probe: () => {
        probes += 1;
        return new Promise(resolve => {
          answer = resolve;
        });
      },
    });
    times(5, () => monitor.note(failed('dropped')));
    expect(probes).toBe(0);
    times(3, () => monitor.note(failed('dropped')));
    expect(probes).toBe(1);
    const waiting = admitted(monitor);
    answer(true);
    expect(await waiting).toBeNull();
    times(5, () => monitor.note(failed('dropped')));
    expect(probes).toBe(1);
  });

  test('and does not answer the probe of an interrupted run ends it as interrupted', async () => {
    const controller = new AbortController();
    const probe = async (): Promise<boolean> => {
      controller.abort();
      return false;
    };
    const monitor = monitorOf({ probe, signal: controller.signal });
    times(6, () => monitor.note(failed('dropped')));
    expect(await admitted(monitor)).toMatchObject({ reason: 'interrupted' });
  });

  test('and does not answer the probe stops the run', async () => {
    const monitor = monitorOf({ probe: async () => false });
    times(6, () => monitor.note(failed('dropped')));
    expect(await admitted(monitor)).toMatchObject({ reason: 'unreachable' });
    expect(monitor.stopped()?.message).toMatch(
      /^the target stopped answering: 6 requests in a row, .*it ended as dropped"$/,
    );
  });

  test('is not, where any answer comes in between', async () => {
    const monitor = monitorOf({ probe: async () => false });
    times(20, index => monitor.note(index % 6 === 5 ? givenAnswer({ status: 500 }) : failed('dropped')));
    expect(await admitted(monitor)).toBeNull();
  });
});

describe('gives up', () => {
  test('a check after four timeouts, whatever the number of the request in its case', async () => {
    const monitor = monitorOf();
    times(4, index => monitor.note(failed('timeout', gate(`patch-gate/rejects#${index}.2`))));
    expect(await admitted(monitor, 'patch-gate/rejects#9')).toBeInstanceOf(GivenUp);
    expect(await admitted(monitor, 'patch-gate/accepts#9')).toBeNull();
  });

  test('an endpoint after ten timeouts', async () => {
    const monitor = monitorOf();
    times(10, index => monitor.note(failed('timeout', gate(`patch-gate/check-${index % 5}#0`))));
    const error = await admitted(monitor, 'patch-gate/another#0');
    expect(error).toBeInstanceOf(GivenUp);
    expect(error?.message).toBe('patch-gate is not sent to any more: 10 requests ended in "it ended as timeout"');
    expect(await admitted(monitor, 'disable-gate/accepts#0')).toBeNull();
  });

  test('an endpoint after three answers that are too long, which are no silence', async () => {
    const monitor = monitorOf({ probe: async () => false });
    times(8, () => monitor.note(failed('too-large')));
    expect(await admitted(monitor)).toBeInstanceOf(GivenUp);
    expect(monitor.stopped()).toBeNull();
  });

  test('an endpoint later where a limit was asked for, which may have been too large, and only with a limit', async () => {
    const monitor = monitorOf();
    const request = { query: { limit: 1_000_000 } };
    const asked = failed('too-large', { request });
    const id = 'patch-gate/accepts#0';
    times(19, () => monitor.note(asked));
    expect(await admitted(monitor, id, request)).toBeNull();
    monitor.note(asked);
    expect(await admitted(monitor, id, request)).toBeInstanceOf(GivenUp);
    expect(await admitted(monitor, id)).toBeNull();
    expect(monitor.admitted()).toBe(2);
  });

  test('an endpoint whose heavy answers weigh more than 32 megabytes together', async () => {
    const monitor = monitorOf();
    const heavy = givenAnswer({ value: 'x'.repeat(1_000_000) });
    times(33, () => monitor.note(heavy));
    expect(await admitted(monitor)).toBeNull();
    monitor.note(heavy);
    const over = await admitted(monitor);
    expect(over).toBeInstanceOf(GivenUp);
    expect((over as GivenUp).message).toContain('34 long answers had 34,000,068 characters together');
  });

  test('no endpoint for light answers, however many', async () => {
    const monitor = monitorOf();
    const light = givenAnswer({ value: 'x'.repeat(200_000) });
    times(100, () => monitor.note(light));
    expect(await admitted(monitor)).toBeNull();
  });
});

describe('a request that is deferred after all waiting', () => {
  const limited = (endpoint: 'patch-gate' | 'disable-gate' | 'list-events') => givenAnswer({ endpoint, status: 429 });

  test('gives its endpoint up, and the third in a row stops the run', async () => {
    const monitor = monitorOf();
    monitor.note(limited('patch-gate'));
    expect(await admitted(monitor)).toBeInstanceOf(GivenUp);
    monitor.note(limited('disable-gate'));
    expect(await admitted(monitor, 'list-events/accepts#0')).toBeNull();
    monitor.note(limited('list-events'));
    expect(await admitted(monitor, 'create-metric/accepts#0')).toMatchObject({
      reason: 'unreachable',
      message: 'the target puts requests off for longer than the suite waits (status 429; Retry-After absent)',
    });
  });

  test('does not stop the run where others are taken in between', async () => {
    const monitor = monitorOf();
    for (const endpoint of ['patch-gate', 'disable-gate', 'list-events'] as const) {
      monitor.note(limited(endpoint));
      monitor.note(givenAnswer({ endpoint: 'list-segments' }));
    }
    expect(await admitted(monitor, 'create-metric/accepts#0')).toBeNull();
  });

  test('does not stop the run where all are of one operation, which is told of', async () => {
    const monitor = monitorOf();
    times(8, () => monitor.note(limited('patch-gate')));
    expect(await admitted(monitor, 'create-metric/accepts#0')).toBeNull();
    expect(monitor.all()).toEqual([
      expect.objectContaining({ severity: 'warning', text: expect.stringMatching(/^patch-gate puts requests off/) }),
    ]);
  });

  test('under another method gives nothing up', async () => {
    const monitor = monitorOf();
    times(8, () => monitor.note(givenAnswer({ endpoint: 'patch-gate', status: 429, request: { method: 'PUT' } })));
    expect(await admitted(monitor)).toBeNull();
    expect(monitor.all()).toEqual([]);
  });
});
