import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const apiKey = 'the-key-of-these-tests';
const tooLong = 'the answer is longer than 4194304 bytes';

/** Starts a reference server that answers matching paths with 9 MB of blanks, and writes a config for it. */
async function longWinded(paths: RegExp) {
  const server = createReferenceServer({
    apiKey,
    decorateListener: inner => (request, response) => {
      if (paths.test(request.url ?? '')) response.end(Buffer.alloc(9_000_000, ' '));
      else inner(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const config = join(folder(), 'c.json');
  const { fixtures, disposable: _, ...file } = referenceTarget();
  const one = { ...fixtures, qualifyingEvents: ['purchases_daily'] };
  writeFileSync(config, JSON.stringify({ ...file, fixtures: one, baseUrl: url, apiKey }));
  return { url, config };
}

const problems = (out: string): string[] => out.split('\n').filter(line => line.startsWith('  problem'));

describe('answers that are longer than anybody reads', () => {
  // biome-ignore format: a table
  test.each<[what: string, paths: RegExp, said: readonly string[]]>([
    ['of the segments', /\/segments/, [
      `  problem  key           not known whether a wrong key is refused (${tooLong})`,
      `  problem  lists         list-segments: no page of it can be read (${tooLong})`,
    ]],
    ['of every list of metric sources', /\/qualifying_events/, [
      `  problem  fixtures      qualifyingEvents purchases_daily: not in what could be read of the list (${tooLong})`,
      `  problem  lists         list-qualifying-events: no page of it can be read (${tooLong})`,
    ]],
    ['of everything', /./, [`  problem  key           not known: neither plain list can be read (${tooLong})`]],
  ])('%s: doctor says so, a line for each, and exits with 3', async (_what, paths, said) => {
    const { config } = await longWinded(paths);
    const ended = await conform(['doctor', '--config', config]);
    expect(ended).toMatchObject({ code: 3, err: '' });
    expect(ended.out).toContain('  ok       reachable');
    expect(problems(ended.out)).toEqual(said);
  });

  test('init writes what the other lists show, and says which could not be read', async () => {
    const { url } = await longWinded(/\/segments/);
    const out = join(folder(), 'conform.config.json');
    const ended = await conform(['init', '--base-url', url, '--api-key', apiKey, '--out', out]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain(
      `28 from list-qualifying-events, 0 from list-segments (a page cannot be read: ${tooLong}).`,
    );
    expect(JSON.parse(readFileSync(out, 'utf8')).fixtures.qualifyingEvents).not.toEqual([]);
  });

  test('init writes nothing when it can read nothing, and says why in one line', async () => {
    const { url } = await longWinded(/./);
    const out = join(folder(), 'conform.config.json');
    const ended = await conform(['init', '--base-url', url, '--api-key', apiKey, '--out', out]);
    expect(ended).toEqual({
      code: 3,
      out: '',
      err: `conform: neither plain list can be read (${tooLong}); nothing was written\n`,
    });
    expect(existsSync(out)).toBe(false);
  });
});
