import { describe, expect, test } from 'vitest';
import { redactions } from '../../../contracts/report/evidence.ts';
import { testKey } from '../testing/reference-run.ts';
import { answerBehaviours, echoes, echoing } from './answers.fixture.ts';
import { expectSound, hostileRun, sample } from './hostile.fixture.ts';
import { served } from './served.fixture.ts';

describe('a target that', () => {
  test.each(answerBehaviours.map((behaviour, turn) => ({ ...behaviour, turn })))('$does', async behaviour => {
    const { url, timeoutMs, requests, strayed } = await served(behaviour);
    const run = await hostileRun(url, { timeoutMs, selection: sample(behaviour.turn) });
    expectSound(run);
    expect(run.end.outcome).toBe(behaviour.outcome);
    expect(run.journal.includes(behaviour.says)).toBe(true);
    expect(requests()).toBeLessThanOrEqual(behaviour.atMost);
    expect(requests()).toBe(run.end.stats.requests);
    // The key stays with its origin: the run follows neither links nor redirects to another.
    expect(strayed()).toBe(0);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test.each(echoes.map(([how, echo], turn) => [how, echo, turn] as const))(
  'a target that echoes the key %s, in bodies, headers and messages, sees it in no event',
  async (how, echo, turn) => {
    const behaviour = echoing(how, echo);
    const { url, timeoutMs } = await served(behaviour);
    const run = await hostileRun(url, { timeoutMs, selection: sample(turn) });
    expectSound(run);
    expect(run.end.outcome).toBe(behaviour.outcome);
    expect(run.journal.includes(redactions.key)).toBe(true);
    for (const secret of [testKey, encodeURIComponent(testKey), echo(testKey)]) {
      for (const written of [secret, JSON.stringify(secret).slice(1, -1)]) {
        expect(run.journal.includes(written)).toBe(false);
      }
    }
  },
);
