import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer } from '../../reference-server/index.ts';
import { endingSignals } from '../interruption.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { started } from '../testing/process.fixture.ts';
import { isAlive } from '../testing/processes.fixture.ts';

type ServerOptions = Parameters<typeof createReferenceServer>[0];

const apiKey = 'the-key-of-these-tests';

async function served(options: ServerOptions = {}): Promise<string> {
  const server = createReferenceServer({ apiKey, ...options });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

const lists = `curl -sf -H 'SERVICE-API-KEY: ${apiKey}' $CONFORM_BASE_URL/console/v1/segments?limit=2`;

/** Runs `proxy` with a command, before a server of its own. */
async function proxied(command: string, flags: readonly string[] = [], options: ServerOptions = {}) {
  const out = folder();
  const target = await served(options);
  const argv = [
    'proxy',
    '--target',
    target,
    '--out',
    out,
    '--exec',
    `{ ${command}; } > ${join(out, 'said')}`,
    ...flags,
  ];
  const ended = await conform(argv);
  const file = join(out, 'report.json');
  return {
    ...ended,
    target,
    said: existsSync(join(out, 'said')) ? readFileSync(join(out, 'said'), 'utf8') : '',
    report: existsSync(file) ? readFileSync(file, 'utf8') : '',
  };
}

describe('a command behind a proxy', () => {
  test('that sends clean traffic is answered as the target answers, and ends with 0', async () => {
    const { code, said, target, err, report } = await proxied(lists);
    const direct = await fetch(`${target}/console/v1/segments?limit=2`, { headers: { 'SERVICE-API-KEY': apiKey } });
    expect(said).toBe(await direct.text());
    expect([code, err]).toEqual([0, expect.stringContaining(`passes everything on to ${target}/`)]);
    expect(report).not.toContain(apiKey);
  });

  test('that fails with clean traffic ends with 5, and so does one that sends none', async () => {
    const clean = await proxied(`${lists}; exit 9`);
    expect(clean.code).toBe(5);
    expect(JSON.parse(clean.report).notices).toMatchObject([{ text: expect.stringContaining('exit code 9') }]);
    const silent = await proxied('exit 9');
    expect([silent.code, silent.err]).toEqual([5, expect.stringContaining('The command ended with exit code 9.')]);
  });

  test('that succeeds without traffic of the API ends with 3', async () => {
    expect((await proxied('true')).code).toBe(3);
    expect((await proxied('curl -s $CONFORM_BASE_URL/elsewhere')).code).toBe(3);
  });

  test('whose traffic shows a defect of the server ends with 1, whether it fails or not', async () => {
    const broken = { faults: ['segment-count-as-text'] };
    expect((await proxied(lists, [], broken)).code).toBe(1);
    expect((await proxied(`${lists}; exit 9`, [], broken)).code).toBe(1);
    expect((await proxied(lists, ['--fail-on', 'client'], broken)).code).toBe(0);
  });

  test('that breaks the specification ends with 1 for the client alone, unless the breach is expected', async () => {
    const keyless = 'curl -s $CONFORM_BASE_URL/console/v1/segments';
    const { code, out } = await proxied(`${lists}; ${keyless}`);
    expect([code, out]).toEqual([1, expect.stringContaining('client.key-header')]);
    expect((await proxied(`${lists}; ${keyless}`, ['--fail-on', 'server'])).code).toBe(0);
    const expected = join(folder(), 'expected.json');
    writeFileSync(expected, JSON.stringify({ expected: [{ requirement: 'client.key-header' }] }));
    expect((await proxied(`${lists}; ${keyless}`, ['--expect-breach', expected])).code).toBe(0);
    expect((await proxied(lists, ['--expect-breach', expected])).code).toBe(1);
  });

  test('finds the address under every name that was asked for', async () => {
    const { said } = await proxied('echo $CONFORM_BASE_URL $API_URL', ['--env', 'API_URL']);
    const [first, second] = said.trim().split(' ');
    expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(second).toBe(first);
  });

  test('has what passed recorded without the key, and the recording is judged alike', async () => {
    const file = join(folder(), 'traffic.har');
    const { code } = await proxied(lists, ['--record', file], { faults: ['segment-count-as-text'] });
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).not.toContain(apiKey);
    const again = await conform(['judge', file, '--out', folder()]);
    expect([again.code, again.out]).toEqual([1, expect.stringContaining('list-segments')]);
  });
});

describe('a wall', () => {
  const status = `curl -s -o /dev/null -w '%{http_code} '`;
  const key = `-H 'SERVICE-API-KEY: ${apiKey}'`;

  test('lets sound traffic pass both ways, unchanged', async () => {
    const { code, said, target } = await proxied(`${lists}; ${lists}`, ['--enforce']);
    const direct = await fetch(`${target}/console/v1/segments?limit=2`, { headers: { 'SERVICE-API-KEY': apiKey } });
    expect([code, said]).toEqual([0, (await direct.text()).repeat(2)]);
  });

  test('answers 400 to a request that breaks the specification, and does not pass it on', async () => {
    const patch = (body: string) =>
      `curl -s -w '%{http_code} ' -X PATCH ${key} -H 'Content-Type: application/json' -d '${body}' $CONFORM_BASE_URL/console/v1/gates/new_checkout`;
    const wrong = '{"description":"never stored","type":"PERMANENT","name":"a#b"}';
    // The target would accept it, because it does not check names.
    const { code, said, report } = await proxied(`${patch(wrong)}; ${patch('{}')}`, ['--enforce'], {
      faults: ['gate-name-free-beside-type'],
    });
    const [refused = '', read = ''] = said.split(/(?<=\}\d{3}) /);
    expect(refused).toMatch(/"requirement":"client\.body-constraint".*400$/);
    expect(read).toMatch(/200$/);
    expect(read).not.toContain('never stored');
    expect([code, report]).toEqual([1, expect.stringContaining('client.body-constraint')]);
  });

  test('answers 502 in the place of an answer that breaks the specification, and says what it breaks', async () => {
    const broken = { faults: ['segment-count-as-text'] };
    const { code, said } = await proxied(`curl -s ${key} $CONFORM_BASE_URL/console/v1/segments`, ['--enforce'], broken);
    expect([code, JSON.parse(said).violations[0].text]).toEqual([1, expect.stringContaining('count')]);
    const again = await proxied(`${status} ${key} $CONFORM_BASE_URL/console/v1/segments`, ['--enforce'], broken);
    expect(again.said).toBe('502 ');
  });
});

describe('a mistake is one line and exit code 2', () => {
  // biome-ignore format: a table
  test.each<[what: string, argv: string[], says: RegExp]>([
    ['a target that is none',       ['--target', 'localhost'],                               /--target "localhost" is no URL/],
    ['an address that is none',     ['--listen', 'here'],                                    /address such as 127\.0\.0\.1:4011/],
    ['a name that is none',         ['--exec', 'true', '--env', 'a-b'],                      /name of a variable/],
    ['two ends',                    ['--exec', 'true', '--until-idle', '1s'],                /--until-idle and --exec .* one of them/],
    ['a recording in a file',       ['--exec', 'true', '--record', '/dev/null/x.har'],       /cannot write \/dev\/null\/x\.har/],
    ['expected breaches nowhere',   ['--exec', 'true', '--expect-breach', '/nowhere.json'],  /\/nowhere\.json \(ENOENT\)/],
  ])('%s', async (_what, argv, says) => {
    const { code, err } = await conform(['proxy', '--out', folder(), ...argv]);
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  });

  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise(resolve => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { code, err } = await conform(['proxy', '--listen', `${port}`, '--out', folder()]);
    expect([code, err]).toEqual([2, expect.stringContaining(`port ${port} is taken`)]);
  });

  test('and leaves the files of an earlier run as they were', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise(resolve => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const out = folder();
    const files = ['report.json', 'journal.ndjson', 'traffic.har'].map(name => join(out, name));
    for (const file of files) writeFileSync(file, 'of an earlier run');
    for (const flags of [
      ['--target', 'ftp://a.example'],
      ['--config', join(out, 'none.json')],
      ['--record', out],
      ['--listen', `${port}`],
    ]) {
      const { code } = await conform(['proxy', '--out', out, '--record', join(out, 'traffic.har'), ...flags]);
      expect(code).toBe(2);
    }
    expect(files.map(file => readFileSync(file, 'utf8'))).toEqual(files.map(() => 'of an earlier run'));
  });
});

test('Ctrl-C ends a proxy before the embedded server in order, and the reports are written', async () => {
  const out = folder();
  const running = started(['proxy', '--listen', '0', '--out', out]);
  await running.says(/API key is reference-key/);
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(running.err()) ?? [];
  await fetch(`${address}/console/v1/segments`, { headers: { 'service-api-key': 'reference-key' } });
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(0);
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ exitCode: 0 });
});

test('a proxy ends by itself when nothing passes any more', async () => {
  const out = folder();
  const running = started(['proxy', '--listen', '0', '--until-idle', '300ms', '--out', out]);
  await running.says(/API key is reference-key/);
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(running.err()) ?? [];
  // The idle time only begins after the first exchange, however late that is.
  const answer = await fetch(`${address}/console/v1/segments`, { headers: { 'service-api-key': 'reference-key' } });
  await answer.text();
  expect(await running.ended).toBe(0);
});

test.each(endingSignals)(
  '%s goes to the command, which ends the proxy with 130 and leaves nothing behind',
  async signal => {
    const out = folder();
    const up = join(out, 'up');
    const running = started(['proxy', '--out', out, '--exec', `sleep 600 & echo $! > ${up}; echo ready >&2; wait`]);
    await running.says(/ready/);
    running.child.kill(signal);
    expect(await running.ended).toBe(130);
    const child = Number(readFileSync(up, 'utf8'));
    while (isAlive(child)) await pause(5);
    expect(existsSync(join(out, 'report.json'))).toBe(true);
  },
);
