import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { checksThat, recordedRun } from '../testing/reference-run.ts';
import { expectSound, hostileRunOf } from './hostile.fixture.ts';

/** Puts something in the way of a server once so many requests have come; `met` counts those that met it. */
const after = (
  count: number,
  met: { count: number },
  instead: (nth: number, listener: RequestListener) => RequestListener,
) => ({
  decorateListener: (listener: RequestListener): RequestListener => {
    let requests = 0;
    return (request, response) => {
      requests += 1;
      if (requests > count) met.count += 1;
      if (requests > count) instead(met.count, listener)(request, response);
      else listener(request, response);
    };
  },
});

const hang: RequestListener = () => {};
const drop: RequestListener = request => request.socket.destroy();

test.each([
  ['answers no more', hang],
  ['closes every connection', drop],
])(
  'a target that half way %s is noticed after a few requests, and the rest is untested because of it',
  async (_how, instead) => {
    const met = { count: 0 };
    const record = await recordedRun({ server: after(400, met, () => instead), run: { timeoutMs: 500 } });
    const run = hostileRunOf(record.events);
    expectSound(run);
    expect(run.end).toMatchObject({ outcome: 'unreachable', because: expect.stringContaining('stopped answering') });
    const untested = [...run.checks.values()].filter(({ because }) => because?.includes('stopped answering'));
    expect(untested.length).toBeGreaterThan(50);
    // What was under way, the requests in a row, the sign of life, and the tries to put things back.
    expect(met.count).toBeLessThan(60);
    const left = run.events.filter(event => event.event === 'notice' && event.text.includes('could not be put back'));
    expect(left.length).toBeGreaterThan(0);
  },
);

test('a target that comes back is tested to the end, and what happened meanwhile is told', async () => {
  const met = { count: 0 };
  const record = await recordedRun({
    server: after(400, met, (nth, listener) => (nth <= 12 ? drop : listener)),
    run: { timeoutMs: 10_000 },
  });
  const run = hostileRunOf(record.events);
  expect(run.end.outcome).toBe('complete');
  expect(run.unended).toEqual([]);
  expect(run.invalid).toEqual([]);
  expect(run.verdict).toBe('non-conformant');
  expect(run.journal).toMatch(/robust\.no-drop/);
  expect(checksThat(record, 'error')).toEqual([]);
});

test('an endpoint that never answers costs the run a few requests, and the others are tested', async () => {
  let asked = 0;
  const record = await recordedRun({
    server: {
      decorateListener: listener => (request, response) => {
        const slow = /^\/console\/v1\/gates\//.test(request.url ?? '') && !request.url?.endsWith('/disable');
        if (!slow) listener(request, response);
        else asked += 1;
      },
    },
    run: { timeoutMs: 300 },
  });
  const run = hostileRunOf(record.events);
  expect(run.end.outcome).toBe('complete');
  expect(run.unended).toEqual([]);
  expect(run.endpoints.get('patch-gate')).toBe('non-conformant');
  expect(run.endpoints.get('create-metric')).toBe('conformant');
  expect(run.endpoints.get('list-segments')).toBe('conformant');
  expect(asked).toBeLessThan(40);
  expect(run.checks.get('patch-gate/combinations')).toMatchObject({
    verdict: 'untested',
    because: expect.stringContaining('not sent to any more'),
  });
});

test('a run that may send so many requests sends no more, and what it did not come to is untested', async () => {
  const record = await recordedRun({ run: { maxRequests: 300, readOnly: true } });
  const run = hostileRunOf(record.events);
  expectSound({ ...run, endpoints: new Map() });
  expect(record.seen.length).toBeLessThanOrEqual(300);
  expect(run.end).toMatchObject({ outcome: 'complete', because: expect.stringContaining('300 requests at most') });
  expect(run.verdict).toBe('incomplete');
  expect(run.end.stats.requests).toBe(300);
});
