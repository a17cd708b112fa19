import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { endpointsWhere } from '../../contracts/endpoints.ts';
import { onePage } from '../../suites/proof/testing/answers.ts';
import { httpDouble } from '../../suites/proof/testing/doubles.ts';
import { heldLimits } from '../../suites/proof/testing/held-limits.ts';
import { escapedDollars, readTargetFile } from '../target-file.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { apiKey } from '../testing/scene.fixture.ts';
import { served, servedUntil, withoutWaits } from '../testing/served.fixture.ts';

afterEach(() => void vi.unstubAllEnvs());

const file = (): string => join(folder(), 'conform.config.json');

describe('init', () => {
  test('makes no folder where the target is not there', async () => {
    const [at, out] = [folder(), 'new/conform.config.json'];
    const argv = ['init', '--base-url', 'http://127.0.0.1:9', '--api-key', apiKey, '--out', join(at, out)];
    expect((await conform(argv)).code).toBe(3);
    expect(readdirSync(at)).toEqual([]);
  });

  test('writes a target file that can be read, says what is missing, and keeps the key to itself', async () => {
    const [url, out] = [await served(), join(folder(), 'new', 'conform.config.json')];
    const ended = await conform(['init', '--base-url', url, '--api-key', apiKey, '--out', out, '--event', 'nowhere']);
    expect(ended).toMatchObject({ code: 0, err: '' });
    const text = readFileSync(out, 'utf8');
    expect(text + ended.out).not.toContain(apiKey);
    vi.stubEnv('SERVICE_API_KEY', 'k');
    expect(readTargetFile(out)).toMatchObject({
      baseUrl: url,
      apiKey: 'k',
      fixtures: { qualifyingEvents: ['purchases_daily', 'purchases_recent'], gates: [] },
    });
    expect(JSON.parse(text).apiKey).toBe('$SERVICE_API_KEY');
    for (const line of [
      '  fixtures.gates: ["a_gate", "another_gate"]',
      `      without it untested: ${endpointsWhere(row => row.fixture === 'gates').join(', ')}`,
      '  fixtures.prompts: ["a_prompt"]',
      '  --event nowhere: the target shows no metric and no record of it',
      `Next: npx conform doctor --config ${out}`,
    ]) {
      expect(ended.out.split('\n')).toContain(line);
    }
    expect(ended.out).not.toContain('fixtures.events: ');
  });

  test('says which lists do not answer, and that nothing more was looked for in them', async () => {
    const { timeoutMs, hold, release } = heldLimits();
    onTestFinished(release);
    const { url } = await httpDouble((request, response) => {
      if (request.url?.includes('/events/') === true) hold();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(onePage([{ name: 'source' }])));
    });
    const out = file();
    const argv = ['init', '--base-url', url.href, '--api-key', apiKey, '--out', out, '--event', 'a', '--event', 'b'];
    const ended = await conform([...argv, '--timeout', `${timeoutMs / 1000}s`]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    for (const endpoint of ['list-events', 'list-event-metrics'])
      expect(ended.out).toContain(`  Left out: ${endpoint} was asked no further, for it does not answer (`);
    expect(ended.out).toContain('  --event a: the lists that answer show no metric and no record of it');
    expect(JSON.parse(readFileSync(out, 'utf8')).fixtures.qualifyingEvents).toEqual(['source']);
  });

  test('takes the key from the environment', async () => {
    const out = file();
    const ended = await conform(['init', '--base-url', await served(), '--out', out], { SERVICE_API_KEY: apiKey });
    expect(ended.code).toBe(0);
    expect(readFileSync(out, 'utf8')).not.toContain(apiKey);
  });

  test('leaves a file that is there alone, unless it is told to write over it', async () => {
    const [url, out] = [await served(), file()];
    writeFileSync(out, 'mine');
    const argv = ['init', '--base-url', url, '--api-key', apiKey, '--out', out];
    const ended = await conform(argv);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('is there already; --force');
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await conform([...argv, '--force'])).code).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8')).baseUrl).toBe(url);
  });

  test('writes nothing when the key is refused', async () => {
    const out = file();
    const ended = await conform(['init', '--base-url', await served(), '--api-key', 'wrong', '--out', out]);
    expect(ended).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(
        /^conform: the key was refused everywhere \(status 401 .*\); nothing was written\n {2}→ check --api-key/,
      ),
    });
    expect(existsSync(out)).toBe(false);
  });

  test('writes nothing from a target that goes away meanwhile, and leaves what is there', async () => {
    const out = file();
    writeFileSync(out, 'mine');
    const argv = ['--base-url', await servedUntil(5), '--api-key', apiKey, '--event', 'page_view'];
    const ended = await conform(['init', ...argv, '--out', out, '--force', ...withoutWaits()]);
    expect(ended).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(/^conform: the target went away: .*; nothing was written\n {2}→ look at its log/),
    });
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });

  // biome-ignore format: a table
  test.each<[what: string, argv: string[], says: RegExp]>([
    ['no base URL',                ['--api-key', 'k'],                                                                          /needs --base-url/],
    ['a header that is none',      ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k', '--api-key-header', 'a b'],           /no name of a header/],
    ['no key',                     ['--base-url', 'http://127.0.0.1:9'],                                                        /no API key/],
  ])('%s is a mistake of the caller', async (_what, argv, says) => {
    const ended = await conform(['init', ...argv, '--out', file()]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(says);
  });

  test('a name that begins with a dollar sign is escaped so that it reads nothing from the environment', () => {
    const out = file();
    const names = ['$SERVICE_API_KEY', '$$', '$', 'a$b'];
    writeFileSync(out, JSON.stringify(escapedDollars({ fixtures: { qualifyingEvents: names } })));
    expect(readTargetFile(out)).toEqual({ fixtures: { qualifyingEvents: names } });
  });
});
