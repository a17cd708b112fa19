import { expect, onTestFinished, test } from 'vitest';
import { heldLimits } from '../testing/held-limits.ts';
import { recordedRun } from '../testing/reference-run.ts';
import { expectSound, hostileRun, hostileRunOf } from './hostile.fixture.ts';
import { comingBack, goingAway } from './part-way.fixture.ts';
import { served } from './served.fixture.ts';

test.each(goingAway)(
  'a target that $does is noticed after a few requests, and the rest is untested because of it',
  async behaviour => {
    const { url, timeoutMs, requests } = await served(behaviour);
    const run = await hostileRun(url, { timeoutMs });
    expectSound(run);
    expect(run.end).toMatchObject({
      outcome: behaviour.outcome,
      because: expect.stringContaining(behaviour.says),
    });
    const untested = [...run.checks.values()].filter(({ because }) => because?.includes(behaviour.says));
    expect(untested.length).toBeGreaterThan(50);
    expect(requests()).toBeLessThanOrEqual(behaviour.atMost);
    const left = run.events.filter(event => event.event === 'notice' && event.text.includes('could not be put back'));
    expect(left.length).toBeGreaterThan(0);
  },
);

test('a target that comes back is tested to the end, and what happened meanwhile is told', async () => {
  const { url, timeoutMs, requests } = await served(comingBack);
  const run = await hostileRun(url, { timeoutMs });
  expect(run.end.outcome).toBe(comingBack.outcome);
  expect(run.unended).toEqual([]);
  expect(run.invalid).toEqual([]);
  expect(run.verdict).toBe('non-conformant');
  expect(run.journal).toContain(comingBack.says);
  expect([...run.checks.values()].filter(({ verdict }) => verdict === 'error')).toEqual([]);
  expect(requests()).toBeLessThanOrEqual(comingBack.atMost);
});

test('an endpoint that never answers costs the run a few requests, and the others are tested', async () => {
  let asked = 0;
  const { timeoutMs, hold, release } = heldLimits();
  onTestFinished(release);
  const record = await recordedRun({
    server: {
      decorateListener: listener => (request, response) => {
        const slow = /^\/console\/v1\/gates\//.test(request.url ?? '') && !request.url?.endsWith('/disable');
        if (!slow) return listener(request, response);
        asked += 1;
        hold();
      },
    },
    only: ['patch-gate', 'create-metric', 'list-segments'],
    run: { timeoutMs },
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
    because: expect.any(String),
  });
});

test('a run that may send so many requests sends no more, and what it did not come to is untested', async () => {
  const record = await recordedRun({ run: { maxRequests: 120, readOnly: true } });
  const run = hostileRunOf(record.events);
  expectSound({ ...run, endpoints: new Map() });
  expect(record.seen.length).toBeLessThanOrEqual(120);
  expect(run.end.outcome).toBe('complete');
  expect(run.verdict).toBe('incomplete');
  expect(run.end.stats.requests).toBeLessThanOrEqual(120);
  expect(run.end.stats.requests).toBeGreaterThan(60);
});

test('a run that stops while flags are tried turns back what it has turned by then', async () => {
  for (let maxRequests = 1; maxRequests <= 12; maxRequests += 1) {
    const { before, after, end } = await recordedRun({ run: { maxRequests }, only: ['update-environments/*'] });
    expect(after.environments, `${maxRequests} requests`).toEqual(before.environments);
    expect(end.outcome).toBe('complete');
  }
});
