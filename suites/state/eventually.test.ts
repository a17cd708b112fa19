import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventually } from './eventually.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Counts the readings, and the milliseconds until one is `done` or is given up. */
async function watched(
  eventually: ReturnType<typeof createEventually>,
  done: (reading: number) => boolean,
  findingOf?: () => string,
) {
  const start = Date.now();
  let readings = 0;
  const reading = eventually(
    async () => {
      readings += 1;
      return readings;
    },
    done,
    findingOf,
  );
  await vi.runAllTimersAsync();
  return { last: await reading, waited: Date.now() - start };
}

test.each([
  ['at once', 2_000, 1, { last: 1, waited: 0 }],
  ['after the first pause', 2_000, 2, { last: 2, waited: 25 }],
  ['after pauses that double', 2_000, 4, { last: 4, waited: 175 }],
  ['never, so that it ends with the time', 100, Number.POSITIVE_INFINITY, { last: 4, waited: 100 }],
  ['never, with no time to wait', 0, Number.POSITIVE_INFINITY, { last: 1, waited: 0 }],
])('what is there %s', async (_what, settleMs, from, expected) => {
  expect(await watched(createEventually(settleMs), reading => reading >= from)).toEqual(expected);
});

test('what was waited for in vain is waited for no longer than the longest delay that ended', async () => {
  const eventually = createEventually(100);
  expect(await watched(eventually, () => false)).toEqual({ last: 4, waited: 100 });
  expect(await watched(eventually, () => false)).toEqual({ last: 1, waited: 0 });
  const other = createEventually(100);
  expect(await watched(other, reading => reading >= 2)).toEqual({ last: 2, waited: 25 });
  expect(await watched(other, () => false)).toEqual({ last: 4, waited: 100 });
  expect(await watched(other, () => false)).toEqual({ last: 2, waited: 25 });
});

test('each finding is waited for in full once', async () => {
  const eventually = createEventually(100);
  const never = () => false;
  expect(await watched(eventually, never, () => 'a')).toEqual({ last: 4, waited: 100 });
  expect(await watched(eventually, never, () => 'b')).toEqual({ last: 4, waited: 100 });
  expect(await watched(eventually, never, () => 'a')).toEqual({ last: 1, waited: 0 });
  for (const one of 'cdefgh') await watched(eventually, never, () => one);
  expect(await watched(eventually, never, () => 'another')).toEqual({ last: 1, waited: 0 });
});
