import { expect, test } from 'vitest';
import { recordedRun, type Setting } from '../proof/testing/reference-run.ts';

/** Returns the number of cases of each check in a run that may send few requests. */
async function casesOf(maxRequests: number, server: Setting['server'] = {}) {
  const run = { maxRequests, concurrency: 1 };
  const { checks } = await recordedRun({ only: ['patch-gate/*'], server, run });
  return Object.fromEntries([...checks].map(([id, { stats }]) => [id, stats?.cases ?? 0]));
}

test('requests that had to be sent again change nothing in which cases are sent', async () => {
  let asked = 0;
  const isPutOff = (): boolean => {
    asked += 1;
    return asked <= 40 && asked % 2 === 1;
  };
  const later = { status: 429, headers: { 'retry-after': '0' }, body: { message: 'Later.' } };
  const decorate: NonNullable<Setting['server']>['decorate'] = (_id, handler) => async (request, store, settings) =>
    isPutOff() ? later : handler(request, store, settings);
  const cases = await casesOf(150, { decorate });
  expect(asked).toBeGreaterThan(40);
  expect(cases).toEqual(await casesOf(150));
});
