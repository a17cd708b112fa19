import { expect, test } from 'vitest';
import { judgedTraffic } from '../testing/exchanges.ts';
import { driven, serverKey } from './driven.fixture.ts';
import { ordinaryClient } from './ordinary-client.fixture.ts';

test('the sound server is not accused, nor is its client, and everything that was sent is counted', async () => {
  const { exchanges } = await driven({}, ordinaryClient());
  const { found, report, remembered } = judgedTraffic(exchanges, { apiKey: serverKey, soleWriter: true });
  expect(found).toEqual([]);
  expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0 });
  expect(report.traffic).toMatchObject({ exchanges: exchanges.length, judged: exchanges.length, notJudged: [] });
  expect(report.traffic?.stateNotJudged).toEqual([]);
  expect(remembered).toBeLessThan(5_000);
});
