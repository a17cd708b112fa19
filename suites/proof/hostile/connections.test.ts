import { describe, expect, test } from 'vitest';
import { puttingOff } from './answers.fixture.ts';
import { expectSound, hostileRun, sample } from './hostile.fixture.ts';
import { served } from './served.fixture.ts';
import { wireBehaviours } from './wire.fixture.ts';

describe('a target that', () => {
  test.each(wireBehaviours.map((behaviour, turn) => ({ ...behaviour, turn })))('$does', async behaviour => {
    const { url, timeoutMs, requests } = await served(behaviour);
    const run = await hostileRun(url, { timeoutMs, selection: sample(behaviour.turn) });
    expectSound(run);
    expect(run.end.outcome).toBe(behaviour.outcome);
    expect(run.journal.includes(behaviour.says)).toBe(true);
    expect(requests()).toBeLessThanOrEqual(behaviour.atMost);
  });
});

test.each(puttingOff)('a target that $does is not waited for, and nothing is its fault', async behaviour => {
  const { url, timeoutMs, requests } = await served(behaviour);
  const run = await hostileRun(url, { timeoutMs });
  expectSound(run);
  expect(run.verdict).toBe('incomplete');
  expect(run.end).toMatchObject({
    outcome: behaviour.outcome,
    because: expect.stringContaining(behaviour.says),
  });
  expect(run.events.find(({ event }) => event === 'notice')).toMatchObject({
    text: expect.stringContaining('Retry-After'),
    remedy: expect.stringContaining('--rate'),
  });
  expect(requests()).toBe(behaviour.atMost);
});
