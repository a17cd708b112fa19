import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import type { TargetFile } from '../../../contracts/target.ts';
import { type Accusations, accuse, inWords } from './conformance.ts';
import { routeOf } from './routes.ts';
import { type IndependentServer, startIndependentServer } from './server.ts';

/** So many checks show something about a server without optional capabilities; fewer mean that the run went nowhere. */
const fewestPasses = 150;

/** In percent of cells: a standard run proves 61.1 of this server; the rest is what a run of this length leaves out. */
const leastCoverage = 61;

test('the server has a route for every endpoint', () => {
  const without = Object.entries(endpoints).filter(([, { method, path }]) => 'status' in routeOf(method, path));
  expect(
    without.map(([id]) => id),
    'no row in routes.ts',
  ).toEqual([]);
});

describe('the suite, run against a server written from the specification alone', () => {
  let server: IndependentServer;
  let result: Accusations;
  /** Another seed, and what the first run left behind. */
  let again: Accusations;

  beforeAll(async () => {
    server = await startIndependentServer();
    result = await accuse(server, { seed: 1, profile: 'standard', token: 'first' });
    again = await accuse(server, { seed: 2, profile: 'quick', token: 'second' });
  });

  afterAll(() => server.close());

  const ended = (...verdicts: readonly string[]) => result.ends.filter(({ verdict }) => verdicts.includes(verdict));

  it('accuses it of nothing', () => {
    expect(result.outcome).toBe('complete');
    expect(ended('fail', 'error', 'warn').map(inWords).join('\n')).toBe('');
  });

  it('leaves no race untested, in either profile', () => {
    const races = [result, again].flatMap(({ ends }) => ends.filter(({ check }) => check === 'races'));
    expect(races.length).toBeGreaterThan(10);
    expect(races.filter(({ verdict }) => verdict !== 'pass').map(inWords)).toEqual([]);
  });

  it('shows something with most of its checks', () => {
    expect(ended('pass').length).toBeGreaterThanOrEqual(fewestPasses);
  });

  it('verifies most of what could be tested', () => {
    expect(result.coverage?.percent).toBeGreaterThanOrEqual(leastCoverage);
  });

  it('accuses it of nothing when it comes again, with another seed, to what the first run left behind', () => {
    const accusing = again.ends.filter(({ verdict }) => ['fail', 'error', 'warn'].includes(verdict));
    expect(accusing.map(inWords).join('\n')).toBe('');
  });

  it('accuses it of nothing by names that it learned from it, where the target file has fixtures alone', async () => {
    const fresh = await startIndependentServer();
    const { fixtures = {} } = fresh.targetFile as TargetFile;
    const learned = await accuse(fresh, { seed: 2, profile: 'quick', token: 'third' }, { fixtures });
    const verdicts = (all: Accusations) =>
      all.ends
        .filter(({ verdict }) => verdict === 'pass')
        .map(({ id }) => id)
        .sort();
    const accusing = learned.ends.filter(({ verdict }) => ['fail', 'error', 'warn'].includes(verdict));
    expect(accusing.map(inWords).join('\n')).toBe('');
    // What a first run left behind may keep a check of the second from its case.
    expect(verdicts(again).filter(id => !verdicts(learned).includes(id))).toEqual([]);
    await fresh.close();
  });

  it('starts afresh every time', async () => {
    const other = await startIndependentServer();
    const names = async ({ url, apiKey }: IndependentServer) => {
      const ask = (): Promise<Response> =>
        fetch(`${url}/console/v1/events/purchase/metrics?limit=1`, { headers: { 'service-api-key': apiKey } });
      const first = await ask();
      // The server puts off some requests; not the next one.
      const answer = first.status === 429 ? await ask() : first;
      return ((await answer.json()) as { pagination: { totalItems: number } }).pagination.totalItems;
    };
    expect(await names(server)).toBeGreaterThan(await names(other));
    await other.close();
  });
});
