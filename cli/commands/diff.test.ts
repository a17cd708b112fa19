import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { membersOf } from '../../contracts/json.ts';
import { differenceReport } from '../../contracts/report/difference.ts';
import { type FixtureSnapshot, type RunEvent, runEvent } from '../../contracts/report/journal.ts';
import { validatorFor } from '../../contracts/validation.ts';
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
  referenceTarget,
} from '../../reference-server/index.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { type Running, started } from '../testing/process.fixture.ts';
import { locked } from '../testing/scene.fixture.ts';

const apiKey = 'key-of-the-two-servers';

async function served(options: ReferenceServerOptions = {}): Promise<string> {
  const server = createReferenceServer({ apiKey, ...options });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

const broken = { faults: ['gate-description-accepts-1001-characters'] } satisfies ReferenceServerOptions;
const other = { dialects: ['refusals-422'] } satisfies ReferenceServerOptions;
const some = ['--only', 'patch-gate/rejects', '--profile', 'quick', '--noise-runs', '0'];

/** Makes a target file for both servers, and names a folder for reports. */
function place(): { readonly config: string; readonly out: string; readonly at: (name: string) => string } {
  const here = folder();
  const config = join(here, 'c.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), apiKey: '$SERVICE_API_KEY' }));
  return { config, out: join(here, 'out'), at: name => join(here, name) };
}

const keyed = { SERVICE_API_KEY: apiKey };
const documentIn = (out: string) => JSON.parse(readFileSync(join(out, 'difference.json'), 'utf8'));

describe('two servers side by side', () => {
  test('what could not be put back of one is told, with what puts it back', async () => {
    const { config, out } = place();
    let requests = 0;
    let lockedFrom = Number.POSITIVE_INFINITY;
    const a = await served();
    const b = await served({
      decorateListener: listener => (request, response) => {
        requests += 1;
        (requests > lockedFrom && request.method === 'PATCH' ? locked : listener)(request, response);
      },
    });
    const only = ['--only', 'patch-gate/accepts', '--profile', 'quick', '--noise-runs', '0'];
    const argv = ['diff', a, b, '--config-a', config, '--config-b', config, '--out', out, ...only];
    expect((await conform(argv, keyed)).out).not.toContain('NOT PUT BACK');
    // Locked half way, when something was changed.
    lockedFrom = Math.floor(1.5 * requests);
    const ended = await conform(argv, keyed);
    expect(ended.out).toMatch(/NOT PUT BACK OF B\n +! gate .*locked/s);
    expect(ended.out).toContain(`put it back:  npx conform restore ${join(out, 'b.ndjson')} --base-url ${b}`);
    const { a: first, b: second } = documentIn(out);
    expect([first.notPutBack, second.notPutBack[0].send]).toEqual([undefined, expect.stringMatching(/^PATCH /)]);
  });

  test('what B breaks is told with both answers, fails, and no file shows the key', async () => {
    const { config, out } = place();
    const [a, b] = [await served(), await served(broken)];
    const reporters = ['terminal', 'html', 'markdown', 'junit'].flatMap(name => ['--reporter', name]);
    const ended = await conform(['diff', a, b, '--config', config, ...some, '--out', out, ...reporters], keyed);
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(
      /WHAT B BREAKS, AND A KEEPS\n {2}D1 ✗ B accepts \(200\) what A refuses \(400\), at patch-gate/,
    );
    expect(ended.err).toContain('A and B, against one another.\n');
    const report = documentIn(out);
    expect(validatorFor(differenceReport)(report)).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'different',
      exitCode: 1,
      a: { name: `${a}/`, isRecording: false, outcome: 'complete', noiseRuns: 0 },
      differences: [{ id: 'D1', label: 'b-breaks', level: 'MUST', cause: 'F1', endpoints: ['patch-gate'] }],
    });
    const files = readdirSync(out);
    expect(files.sort()).toEqual([
      'a.ndjson',
      'b.ndjson',
      'difference.html',
      'difference.json',
      'difference.md',
      'junit.xml',
    ]);
    const texts = [ended.out, ended.err, ...files.map(name => readFileSync(join(out, name), 'utf8'))];
    for (const text of texts) expect(text).not.toContain(apiKey);
    const valid = validatorFor(runEvent);
    for (const line of readFileSync(join(out, 'a.ndjson'), 'utf8').trimEnd().split('\n'))
      expect(valid(JSON.parse(line))).toEqual([]);
    const explained = await conform(['explain', 'F1', join(out, 'b.ndjson')]);
    expect(explained).toMatchObject({ code: 0, err: '' });
    const restored = await conform(['restore', join(out, 'a.ndjson'), join(out, 'b.ndjson'), '--api-key', apiKey]);
    expect(restored).toMatchObject({ code: 2, err: expect.stringContaining('of several servers') });
  });

  test('each has its own target file and its own key, and what differs there is no difference', async () => {
    const { out, at } = place();
    const [a, b] = [await served(), await served({ apiKey: 'another-key-for-b' })];
    writeFileSync(at('a.json'), JSON.stringify({ ...referenceTarget(), baseUrl: a }));
    writeFileSync(at('b.json'), JSON.stringify({ ...referenceTarget(), baseUrl: b, apiKey: '$KEY_IN_VAULT' }));
    const argv = ['diff', '--config-a', at('a.json'), '--config-b', at('b.json'), ...some, '--out', out];
    const ended = await conform(argv, { ...keyed, SERVICE_API_KEY_B: 'another-key-for-b' });
    expect(ended.err).not.toContain('conform:');
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^✓ ALIKE {2}/m);
  });

  test('what is left open fails where that is asked for, is acknowledged, and fails again where it is gone', async () => {
    const { config, out, at } = place();
    const [a, b, same] = [await served(), await served(other), await served()];
    const known = at('known.json');
    const run = (second: string, ...flags: string[]) =>
      conform(['diff', a, second, '--config', config, ...some, '--out', out, ...flags], keyed);
    expect((await run(b)).code).toBe(0);
    expect((await run(b, '--fail-on', 'open')).code).toBe(1);
    const written = await run(
      b,
      '--fail-on',
      'open',
      '--acknowledge',
      known,
      '--reason',
      'the new gateway answers 422',
    );
    expect(written).toMatchObject({
      code: 0,
      err: expect.stringMatching(/known\.json: \d+ added, 0 kept, 0 removed\n/),
    });
    expect(written.out).toMatch(/ACKNOWLEDGED\n {2}D1/);
    expect((await run(b, '--fail-on', 'open', '--allow', known)).code).toBe(0);
    const text = readFileSync(known, 'utf8');
    // The comparison is filtered, so an entry that it cannot judge is not stale.
    expect((await run(same, '--allow', known)).code).toBe(0);
    writeFileSync(known, text.replace('"reason"', '"expires":"2001-01-01","reason"'));
    const expired = await run(b, '--fail-on', 'open', '--allow', known);
    expect(expired.code).toBe(1);
    expect(expired.out).toContain(`→ remove line 4 of ${known}`);
  });
});

describe('a recording', () => {
  test('stands for the server that is not there: a drift of it fails, the same behaviour does not', async () => {
    const { config, out, at } = place();
    const record = at('today.rec');
    const [a, same, b] = [await served(), await served(), await served(other)];
    const run = ['run', '--base-url', a, '--config', config, '--only', 'patch-gate/rejects', '--profile', 'quick'];
    const recorded = await conform([...run, '--record', record, '--out', at('report')], keyed);
    expect(recorded.code).toBe(0);
    expect(existsSync(`${record}.unfinished`)).toBe(false);
    expect(gunzipSync(readFileSync(record)).toString('utf8')).not.toContain(apiKey);
    const diff = (second: string, ...flags: string[]) =>
      conform(['diff', record, second, '--config', config, '--fail-on', 'open', '--out', out, ...flags], keyed);
    expect(await diff(same)).toMatchObject({ code: 0, out: expect.stringContaining('a recording of') });
    expect(documentIn(out)).toMatchObject({
      a: { isRecording: true, noiseRuns: 0 },
      profile: 'quick',
      options: { only: ['patch-gate/rejects'] },
    });
    expect(await diff(b)).toMatchObject({ code: 1, out: expect.stringContaining('B answers 422 where A answers 400') });
    const refused = await diff(same, '--seed', '7');
    expect(refused).toMatchObject({
      code: 2,
      err: `conform: --seed 7: ${record} was recorded with 1, and B is sent the same; leave --seed out\n`,
    });
    writeFileSync(record, readFileSync(record).subarray(0, 300));
    expect(await diff(same)).toMatchObject({
      code: 2,
      err: `conform: ${record} cannot be read: it was cut off; record the run again\n`,
    });
  });

  test('that cannot be written is told before anything is sent', async () => {
    const run = ['run', '--only', 'list-segments', '--profile', 'quick', '--out', folder()];
    expect(await conform([...run, '--record', '/dev/null/today.rec'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot write .*choose another place with --record/),
    });
    expect((await conform([...run, '--record', folder()])).err).toMatch(/it is no file/);
    const never = join(folder(), 'never.rec');
    const unreachable = [
      'run',
      '--base-url',
      'http://127.0.0.1:9',
      '--api-key',
      'k',
      '--out',
      folder(),
      '--record',
      never,
    ];
    expect(await conform(unreachable)).toMatchObject({
      code: 3,
      err: `${never} is not written: the run did not come to its end (unreachable)\n`,
    });
    expect([existsSync(never), existsSync(`${never}.unfinished`)]).toEqual([false, false]);
    for (const flag of [['--bail'], ['--shard', '1/2'], ['--time', '1m']])
      expect(await conform([...run, '--record', 'x.rec', ...flag])).toMatchObject({
        code: 2,
        err: expect.stringContaining(`--record cannot go with ${flag[0]}`),
      });
  });
});

/** Returns the snapshots of a journal that differ from the state of a server. */
async function changed(server: ReferenceServer, journal: string): Promise<readonly FixtureSnapshot[]> {
  const { gates, qualifyingEvents } = await server.store.snapshot();
  const events = readFileSync(journal, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as RunEvent);
  return events
    .filter(event => event.event === 'snapshot')
    .filter(({ endpoint, param, body }) => {
      const entities = endpoint === 'patch-gate' ? gates : endpoint === 'update-environments' ? [] : qualifyingEvents;
      const now = membersOf(entities.find(([id]) => id === param)?.[1]);
      return (
        entities.length > 0 &&
        Object.entries(body).some(([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value))
      );
    });
}

// biome-ignore format: a line
test.each(['SIGINT', 'SIGHUP'] as const)('a comparison that %s interrupts puts both back, writes what it found, and exits with 130', async signal => {
  let running: Running | undefined;
  let requests = 0;
  const servers = [1, 2].map(() =>
    createReferenceServer({
      apiKey,
      decorateListener: listener => (request, response) => {
        requests += 1;
        // By then gates of both have been written to.
        if (requests === 160) running?.child.kill(signal);
        listener(request, response);
      },
    }),
  );
  const [a, b] = servers as [ReferenceServer, ReferenceServer];
  for (const server of servers) onTestFinished(() => server.close());
  const { config, out } = place();
  const urls = await Promise.all(servers.map(async server => (await server.listen()).url));
  const flags = [
    '--api-key',
    apiKey,
    '--config',
    config,
    '--profile',
    'quick',
    '--only',
    'patch-gate',
    '--noise-runs',
    '0',
    '--settle',
    '1ms',
    '--out',
    out,
  ];
  writeFileSync(config, JSON.stringify(referenceTarget()));
  running = started(['diff', ...urls, ...flags]);
  expect(await running.ended).toBe(130);
  expect(documentIn(out)).toMatchObject({
    verdict: 'incomplete',
    exitCode: 130,
    because: 'A was interrupted; B was interrupted',
  });
  expect(await changed(a, join(out, 'a.ndjson'))).toEqual([]);
  expect(await changed(b, join(out, 'b.ndjson'))).toEqual([]);
});

describe('mistakes of the caller', () => {
  let known = '';
  beforeAll(() => {
    known = JSON.stringify({
      version: 1,
      acknowledged: [{ endpoint: 'patch-gate', pointer: 'status', aspect: 'status', label: 'open', reason: ' ' }],
    });
  });
  const [a, b] = ['http://127.0.0.1:9', 'http://127.0.0.1:10'];
  const key = ['--api-key', 'k'];

  // biome-ignore format: a table
  test.each<[what: string, argv: readonly string[], says: RegExp]>([
    ['no server at all',              ['diff'],                                              /Usage: conform diff/],
    ['one server',                    ['diff', a, ...key],                                   /which server is B\?/],
    ['a server that is itself',       ['diff', a, `${a}/`, ...key],                          /A and B are one server/],
    ['a recording in place of B',     ['diff', a, 'today.rec', ...key],                      /B is the server that is to take the place of A/],
    ['a recording that is not there', ['diff', '/nowhere/today.rec', b, ...key],             /cannot read the recording \/nowhere\/today\.rec \(ENOENT\)/],
    ['a recording that is none',      ['diff', 'package.json', b, ...key],                   /package\.json is no recording/],
    ['a URL of another kind',         ['diff', a, 'ftp://h', ...key],                        /B must be an http or https URL/],
    ['no key',                        ['diff', a, b],                                        /no API key/],
    ['a filter that names nothing',   ['diff', a, b, ...key, '--only', 'patch-gates'],       /did you mean patch-gate/],
    ['a reporter nobody knows',       ['diff', a, b, ...key, '--reporter', 'ctrf'],          /terminal, json, junit, html, markdown/],
    ['a limit nobody knows',          ['diff', a, b, ...key, '--fail-on', 'regression'],     /must, open, any/],
    ['two files of acknowledged differences', ['diff', a, b, ...key, '--allow', 'a', '--acknowledge', 'b', '--reason', 'c'], /give one of them/],
    ['new entries without a reason',  ['diff', a, b, ...key, '--acknowledge', 'b'],          /--acknowledge needs --reason/],
    ['a reason of nothing',           ['diff', a, b, ...key, '--reason', 'b'],               /--reason works only with --acknowledge/],
    ['acknowledged differences that are not there', ['diff', a, b, ...key, '--allow', '/nowhere.json'], /acknowledged differences \/nowhere\.json \(ENOENT\)/],
    ['acknowledged differences of another shape',   ['diff', a, b, ...key, '--allow', 'package.json'],  /schema acknowledged-differences/],
    ['a place that cannot be written', ['diff', a, b, ...key, '--out', '/dev/null/out'],     /cannot write .*--out/],
  ])('%s', async (_, argv, says) => {
    const ended = await conform([...argv, ...(argv.includes('--out') || argv.length === 1 ? [] : ['--out', join(folder(), 'out')])]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(says);
    expect(ended.err).not.toMatch(/\n\s+at /);
  });

  test('an entry without a reason, named by what it is about', async () => {
    const file = join(folder(), 'known.json');
    writeFileSync(file, known);
    expect((await conform(['diff', a, b, ...key, '--allow', file])).err).toContain(
      'patch-gate status (left open) has no reason',
    );
  });
});
