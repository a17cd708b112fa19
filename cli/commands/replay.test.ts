import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { createReferenceServer, type ReferenceServerOptions, referenceTarget } from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { locked } from '../testing/scene.fixture.ts';

/** Returns the target file of a server with these faults; its key is in the environment variable `KEY`. */
async function configOf(faults: readonly string[], more: ReferenceServerOptions = {}): Promise<string> {
  const server = createReferenceServer({ apiKey: 'key-of-these-tests', faults, ...more });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const file = join(folder(), 'c.json');
  writeFileSync(file, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey: '$KEY' }));
  return file;
}

const environment = { KEY: 'key-of-these-tests' };

/** Makes a quick run of one endpoint against a server with one fault. Returns its report. */
async function recorded(fault: string, only: string) {
  const out = folder();
  const config = await configOf([fault]);
  await conform(['run', '--config', config, '--only', only, '--profile', 'quick', '--out', out], environment);
  const file = join(out, 'report.json');
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const ids = report.endpoints.flatMap(({ checks }) =>
    checks.filter(one => one.findings.length > 0).map(one => one.id),
  );
  return { file, config, report, ids };
}

describe('replay', () => {
  // biome-ignore format: a table
  test.each([
    ['a missing refusal',        'gate-name-accepts-2-characters', 'patch-gate'],
    ['an answer of one case',    'gate-enabled-as-number',         'patch-gate'],
    ['a list',                   'config-versions-no-message',     'list-config-versions'],
    ['a key that is not asked',  'guard-forgotten',                'list-segments'],
  ])('%s still fails where it failed, and no longer where it is mended', async (_what, fault, only) => {
    const { file, ids, config } = await recorded(fault, only);
    const mended = await configOf([]);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids.slice(0, 3)) {
      const still = await conform(['replay', id, file, '--config', config], environment);
      expect([id, still.code, still.err]).toEqual([id, 1, `Sending to ${baseUrlOf(config)}/ (from ${config}).\n`]);
      expect(still.out).toMatch(/^✗ still fails/);
      expect(still.out).toMatch(/\n {2}then .*\n {2}now /s);
      const gone = await conform(['replay', id, file, '--config', mended, '--base-url', baseUrlOf(mended)], environment);
      expect([id, gone.code, gone.out]).toEqual([id, 0, expect.stringMatching(/^✓ no longer fails/)]);
      expect(still.out + gone.out).not.toContain(environment.KEY);
    }
  });

  test('what no case shows is looked for again in all of its operation', async () => {
    const { file, report, ids, config } = await recorded('gate-enabled-as-number', 'patch-gate');
    const of = ({ counterexample, ...finding }: Report['endpoints'][number]['checks'][number]['findings'][number]) => ({
      ...finding,
      counterexample: { path: '', index: 0, title: 'what the run sent', pointer: '', shrinks: 0 },
    });
    const endpoints = report.endpoints.map(one => ({
      ...one,
      checks: one.checks.map(check => ({ ...check, findings: check.findings.map(of) })),
    }));
    writeFileSync(file, JSON.stringify({ ...report, endpoints }));
    const mended = await configOf([]);
    const [id = ''] = ids;
    const still = await conform(['replay', id, file, '--config', config], environment);
    expect([still.code, still.out]).toEqual([1, expect.stringContaining('patch-gate/*')]);
    const gone = await conform(['replay', id, file, '--config', mended, '--base-url', baseUrlOf(mended)], environment);
    expect([gone.code, gone.out]).toEqual([0, expect.stringMatching(/^✓ no longer fails/)]);
  });

  test('what several requests show together is looked for again in all of its operation', async () => {
    const fault = 'experiment-scores-replaced';
    const { file, config, ids } = await recorded(fault, 'update-experiment');
    const mended = await configOf([]);
    const [id = ''] = ids;
    const still = await conform(['replay', id, file, '--config', config], environment);
    expect([still.code, still.out]).toEqual([1, expect.stringMatching(/^✗ still fails.*\n {2}now .*became nothing/s)]);
    const gone = await conform(['replay', id, file, '--config', mended, '--base-url', baseUrlOf(mended)], environment);
    expect([gone.code, gone.out]).toEqual([0, expect.stringMatching(/^✓ no longer fails/)]);
  });

  test('what could not be put back is told, with the request that would', async () => {
    const { file, ids } = await recorded('gate-description-lost', 'patch-gate');
    let requests = 0;
    let lockedFrom = Number.POSITIVE_INFINITY;
    const config = await configOf(['gate-description-lost'], {
      decorateListener: listener => (request, response) => {
        requests += 1;
        (requests > lockedFrom && request.method === 'PATCH' ? locked : listener)(request, response);
      },
    });
    const argv = ['replay', ids[0] as string, file, '--config', config];
    expect((await conform(argv, environment)).err).not.toContain('Not put back');
    // Locked half way, when something was changed.
    lockedFrom = Math.floor(1.5 * requests);
    const { err } = await conform(argv, environment);
    expect(err).toMatch(
      /\nNot put back: gate \S+: .*locked.*\n {2}to send to http:\S+ PATCH \/console\/v1\/gates\/\S+ \{.*\}\n$/,
    );
  });

  test('a target that is gone proves nothing: exit code 3', async () => {
    const { file, ids } = await recorded('gate-enabled-as-number', 'patch-gate');
    const argv = ['replay', ids[0] as string, file, '--base-url', 'http://127.0.0.1:9'];
    const ended = await conform(argv, environment);
    expect(ended).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^Sending to http:\/\/127\.0\.0\.1:9\/ \(from --base-url, with the target file \S+\)\.\n$/,
      ),
      out: expect.stringMatching(/^◐ could not be tested.*ECONNREFUSED/s),
    });
  });

  test('what cannot be meant is one line and exit code 2', async () => {
    const { file, ids, report, config } = await recorded('gate-enabled-as-number', 'patch-gate');
    const id = ids[0] as string;
    const other = join(folder(), 'report.json');
    writeFileSync(other, JSON.stringify({ ...report, tool: { ...report.tool, 'fast-check': '3.0.0' } }));
    const moved = join(folder(), 'report.json');
    writeFileSync(moved, JSON.stringify({ ...report, options: { ...report.options, config: `${config}.gone` } }));
    for (const [says, ...argv] of [
      [/no finding patch-gate\/nothing; it has patch-gate/, 'patch-gate/nothing', file],
      [/no finding .*#99/, `${id}#99`, file],
      [/no finding .*#x/, `${id}#x`, file],
      [/made with fast-check 3\.0\.0/, id, other],
      [/name its target file with --config/, id, moved],
      [/names http:\/\/127\.0\.0\.1:\d+\/; give --base-url or --config, or --use-reported-address/, id, file],
      [/cannot read the report/, id, '/nowhere/report.json'],
    ] as const) {
      const ended = await conform(['replay', ...argv], environment);
      expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) });
      expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});

const baseUrlOf = (config: string): string => (JSON.parse(readFileSync(config, 'utf8')) as { baseUrl: string }).baseUrl;
