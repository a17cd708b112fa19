import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { started } from '../testing/process.fixture.ts';

const apiKey = 'key-of-these-tests';
const environment = { KEY: apiKey };

/** Starts a server with faults, at a given port or a free one. */
async function serverOf(faults: readonly string[], port = 0) {
  const server = createReferenceServer({ apiKey, faults });
  const { url } = await server.listen(port);
  onTestFinished(() => server.close());
  return { url, port: Number(new URL(url).port), close: () => server.close() };
}

/** Makes a folder for reports, with a target file that names a server and takes the key from `KEY`. */
function placeOf(url: string, key = '$KEY') {
  const out = folder();
  const config = join(out, 'c.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey: key }));
  const report = (): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  const journal = (): string[] => readFileSync(join(out, 'journal.ndjson'), 'utf8').trim().split('\n');
  return { out, config, report, journal };
}

describe('run --failed', () => {
  test('runs what failed against the same server, with the seed, profile and learned names of that run', async () => {
    const { url } = await serverOf(['segments-empty-body', 'gate-name-accepts-2-characters']);
    const { out, config, report } = placeOf(url);
    const only = ['--only', 'list-segments', '--only', 'patch-gate/{accepts,rejects}'];
    await conform(['run', '--config', config, ...only, '--profile', 'quick', '--seed', '7', '--out', out], environment);
    const before = report();
    const unasked = await conform(['run', '--failed', '--out', out], environment);
    const named = `the last run under ${out} names ${url}/`;
    expect(unasked).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(`${named}; give --base-url or --config, or`),
    });
    expect(report()).toEqual(before);
    const again = await conform(['run', '--failed', '--use-reported-address', '--out', out], environment);
    const after = report();
    expect(again.code).toBe(1);
    expect(again.err).toContain('Only what failed last: ');
    expect(again.err).toContain('seed 7, profile quick');
    expect(again.err).toContain(`Sending to ${url}/ (from the last run under ${out}, by --use-reported-address`);
    expect(again.out).toContain('since last run: 0 fixed, 0 new');
    expect(after).toMatchObject({ seed: 7, profile: 'quick', learned: before.learned });
    const failing = (one: Report) =>
      one.endpoints.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
    expect(failing(after)).toEqual(failing(before));
    expect(after.options.only).toEqual(expect.arrayContaining(failing(before)));
    expect(after.options.only).not.toContain('patch-gate/accepts');
    expect(after.stats.requests).toBeLessThan(before.stats.requests);
    for (const { findings } of after.endpoints.flatMap(({ checks }) => checks))
      for (const { reproduce } of findings) expect(reproduce).toContain(`--learned ${join(out, 'journal.ndjson')}`);
  });

  test('runs what failed before again, where the run between did not reach the target', async () => {
    const { url, port, close } = await serverOf(['segments-empty-body']);
    const { out, config, report } = placeOf(url);
    const run = ['run', '--config', config, '--only', 'list-segments', '--profile', 'quick', '--out', out];
    await conform(run, environment);
    await close();
    expect((await conform([...run, '--failed'], environment)).code).toBe(3);
    const gone = report();
    await serverOf(['segments-empty-body'], port);
    const again = await conform([...run, '--failed'], environment);
    expect(again.err).toContain('Only what failed last, or was not tested because the target was gone: ');
    expect(again.code).toBe(1);
    expect([...report().options.only].sort()).toEqual([...gone.options.only].sort());
  });

  test('is refused where no run was made, and where nothing failed', async () => {
    const out = folder();
    expect(await conform(['run', '--failed', '--out', out])).toMatchObject({
      code: 2,
      err: expect.stringContaining('holds no run'),
    });
    await conform(['run', '--only', 'list-segments/message', '--profile', 'quick', '--out', out]);
    const refused = await conform(['run', '--failed', '--out', out]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('nothing of what was asked for failed') });
  });
});

test('run --bail sends no more than the first cause takes, puts back, reports, and exits with 1', async () => {
  const { url } = await serverOf(['guard-forgotten', 'segments-empty-body', 'gate-name-accepts-2-characters']);
  const { out, config, report, journal } = placeOf(url);
  const only = ['--only', '{patch-gate,list-segments}/{accepts,rejects,pagination,authentication,envelope}'];
  const argv = ['run', '--config', config, ...only, '--profile', 'quick', '--out', out];
  await conform(argv, environment);
  const whole = report();
  const bailed = await conform([...argv, '--bail'], environment);
  expect(bailed.code).toBe(1);
  expect(report().stats.requests).toBeLessThan(whole.stats.requests);
  expect(report()).toMatchObject({ outcome: 'complete', because: 'the run was to end after 1 cause (--bail)' });
  expect(report().causes?.length).toBeLessThan(whole.causes?.length ?? 0);
  expect(report().leftBehind.filter(({ send }) => send !== undefined)).toEqual([]);
  expect(journal().at(-1)).toContain('"run-end"');
  // What the bail left out is tried again too.
  const rest = await conform(['run', '--failed', '--config', config, '--out', out], environment);
  expect(rest.err).toContain('or was not tested because the run ended before');
  expect(report().causes?.length).toBe(whole.causes?.length);
  const most = await conform([...argv, '--bail', '99'], environment);
  expect(most.code).toBe(1);
  expect(report().because).toBeUndefined();
});

test('run --watch runs again when its target was restarted, tells what changed, and ends with 130', async () => {
  const before = await serverOf(['segments-empty-body']);
  const { out, config, report } = placeOf(before.url, apiKey);
  const only = ['--only', 'list-segments/{pagination,envelope,message}'];
  const watching = started(['run', '--config', config, ...only, '--profile', 'quick', '--watch', '--out', out]);
  await watching.says(/Watching: runs again when \S+ was gone and is back\. Ctrl-C ends it\.\n/);
  const failing = report();
  await before.close();
  await watching.says(/ is gone \(/);
  await serverOf([], before.port);
  await watching.says(/Again: the target is back\.[\s\S]*Watching:/);
  expect(failing.verdict).toBe('non-conformant');
  expect(report().verdict).toBe('conformant');
  watching.child.kill('SIGINT');
  expect(await watching.ended).toBe(130);
});

test('run --watch without a server that could restart and without a terminal is a mistake', async () => {
  const refused = await conform(['run', '--watch', '--out', folder()]);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('name a server with --base-url') });
});
