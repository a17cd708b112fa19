import { describe, expect, test } from 'vitest';
import { dialects } from '../../../reference-server/index.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { shareOf } from '../testing/proof-share.ts';
import { driven, serverKey } from './driven.fixture.ts';
import { ordinaryClient, twoClients } from './ordinary-client.fixture.ts';

/** What is not accused of a server: its warnings that a dialect may draw, and whatever its clients do. */
const accusations = (found: readonly string[], allowed: readonly string[]): readonly string[] =>
  found.filter(one => one.startsWith('server') && !allowed.some(id => one.startsWith(`server ${id} `)));

describe('a dialect is never accused', () => {
  test.each(shareOf(dialects).map(row => [row.id, row] as const))('%s', async (_id, dialect) => {
    const { id, warns = [], mayWarn = [], apiKey = serverKey, naming, changes = [], behindMs, holds } = dialect;
    const server = {
      dialects: [id],
      apiKey,
      ...(naming === undefined ? {} : { naming }),
      ...(holds === undefined ? {} : {}),
    };
    const isOthers = changes.length > 0;
    const options = { apiKey, ...(naming === undefined ? {} : { naming }), soleWriter: !isOthers };
    // What lags is judged by the time that really passes.
    const clock = behindMs === undefined ? undefined : () => performance.now();
    const one = await driven(server, ordinaryClient(), clock);
    const alone = judgedTraffic(one.exchanges, options);
    const two = await driven(server, twoClients(), clock ?? (() => performance.now()));
    const both = judgedTraffic(two.exchanges, options);
    const allowed = [...warns, ...mayWarn];
    expect(accusations([...alone.found, ...both.found], allowed)).toEqual([]);
    expect(alone.report.outcome).toBe('complete');
  });
});

test('the sound server is not accused, nor is its client, and everything that was sent is counted', async () => {
  const { exchanges } = await driven({}, ordinaryClient());
  const { found, report, remembered } = judgedTraffic(exchanges, { apiKey: serverKey, soleWriter: true });
  expect(found).toEqual([]);
  expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0 });
  expect(report.traffic).toMatchObject({ exchanges: exchanges.length, judged: exchanges.length, notJudged: [] });
  expect(report.traffic?.stateNotJudged).toEqual([]);
  expect(remembered).toBeLessThan(5_000);
});
