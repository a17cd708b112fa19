import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority } from '../../suites/proof/testing/certificates.ts';
import { endingSignals } from '../interruption.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { started } from '../testing/process.fixture.ts';

const written = (name: string, content: unknown, into = folder()): string => {
  const file = join(into, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

/** The output of `serve` once it listens, and functions to use it. */
interface Serving {
  readonly out: string;
  readonly url: string;
  ask(method: string, path: string, key: string, body?: object): Promise<{ status: number; json: unknown }>;
  stop(): Promise<number>;
}

/** Runs `serve` in this process until it is stopped. */
async function serving(
  argv: readonly string[],
  environment: Record<string, string> = {},
  dispatcher = new Agent(),
  header = 'SERVICE-API-KEY',
): Promise<Serving> {
  const before = process.listeners('SIGTERM');
  const ended = conform(['serve', ...argv], environment);
  const spy = vi.mocked(process.stdout.write);
  const out = await vi.waitUntil(
    () => spy.mock.calls.map(([text]) => String(text)).find(text => text.includes('Ctrl-C')),
    {
      timeout: 60_000,
      interval: 5,
    },
  );
  let stopped: Promise<number> | undefined;
  const stop = (): Promise<number> => {
    const [stops] = process.listeners('SIGTERM').filter(listener => !before.includes(listener));
    stops?.('SIGTERM');
    stopped ??= dispatcher.close().then(async () => (await ended).code);
    return stopped;
  };
  onTestFinished(async () => void (await stop()));
  const url = /base URL +(\S+)/.exec(out)?.[1] ?? '';
  return {
    out,
    url,
    stop,
    async ask(method, path, key, body) {
      const { statusCode, body: answer } = await request(url + path, {
        method: method as 'GET',
        dispatcher,
        headers: { [header]: key, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: statusCode, json: await answer.json() };
    },
  };
}

const authority = createAuthority();
const gate = '/console/v1/gates/mine';

describe('serve', () => {
  test('holds a seed, takes further keys by their roles, and shows no key of the environment', async () => {
    const seed = written('seed.json', { extends: 'empty', gates: ['mine'], teams: ['us', 'them'] });
    const argv = ['--port', '0', '--seed', seed, '--key', 'ci=key-of-ci:read-only', '--key', 'dev=key:of:dev'];
    const { out, ask, stop } = await serving(argv, { SERVICE_API_KEY: 'kept-secret' });
    expect(out).not.toMatch(/kept-secret|key-of-ci|key:of:dev/);
    expect(out).toMatch(/API key {3}that of \$SERVICE_API_KEY\n {2}key {7}ci, read-only\n {2}key {7}dev\n/);
    for (const key of ['kept-secret', 'key:of:dev'])
      expect(await ask('PATCH', gate, key, {})).toMatchObject({ status: 200 });
    expect(await ask('GET', '/console/v1/segments', 'key-of-ci')).toMatchObject({ status: 200, json: { data: [] } });
    expect(await ask('PATCH', gate, 'key-of-ci', { isEnabled: false })).toEqual({
      status: 403,
      json: { status: 403, message: 'The API key ci is read-only: it may not write.' },
    });
    expect((await ask('PATCH', gate, 'reference-key', {})).status).toBe(401);
    expect((await ask('PATCH', gate, 'kept-secret', { team: 'nobody' })).json).toMatchObject({
      errors: [{ property: 'team', errorMessage: 'names no known team; there are us, them' }],
    });
    await ask('PATCH', gate, 'kept-secret', { team: 'them' });
    await ask('POST', '/_reference/reset', 'kept-secret');
    expect((await ask('PATCH', gate, 'kept-secret', {})).json).toMatchObject({ data: { team: null } });
    expect(await stop()).toBe(0);
  });

  test('makes no more sandboxes than it is told, and forgets those that nobody used for as long as it is told', async () => {
    const statusesWith = async (...flags: readonly string[]) => {
      const { ask, stop } = await serving(['--port', '0', '--sandboxes', '--max-sandboxes', '1', ...flags]);
      const status = async (key: string) => (await ask('GET', '/console/v1/segments', key)).status;
      const first = [await status('sandbox_1'), await status('sandbox_2')];
      // It is only forgotten because of the given idle time.
      while (flags.length > 0 && (await status('sandbox_2')) !== 200);
      expect(await stop()).toBe(0);
      return first;
    };
    expect(await statusesWith()).toEqual([200, 503]);
    expect((await statusesWith('--sandbox-idle', '1ms'))[0]).toBe(200);
    for (const flag of ['--max-sandboxes', '--sandbox-idle'])
      expect(await conform(['serve', '--port', '0', flag, flag === '--max-sandboxes' ? '1' : '1s'])).toMatchObject({
        code: 2,
        err: `conform: ${flag} needs --sandboxes\n`,
      });
  });

  test('speaks TLS under other names, and takes any name of a directory', async () => {
    const { cert, key } = authority.issue();
    const argv = ['--port', '0', '--tls-cert', written('cert.pem', cert), '--tls-key', written('key.pem', key)];
    const naming = ['--api-key-header', 'X-Key', '--unit-id-field', 'ownID', '--start-date-placeholder', '{from}'];
    const dispatcher = new Agent({ connect: { ca: authority.cert } });
    const { out, url, ask } = await serving([...argv, ...naming, '--open-vocabulary'], {}, dispatcher, 'X-Key');
    expect(url).toMatch(/^https:/);
    expect(out).toMatch(/try {7}curl --cacert \S+cert\.pem -H 'X-Key: reference-key' 'https:/);
    const { json } = await ask('GET', '/console/v1/experiments/qualifying_events', 'reference-key');
    expect(json).toMatchObject({
      data: [
        { idTypeMapping: [{ ownID: 'userID' }, {}], sql: expect.stringContaining('{from}') },
        ...Array(9).fill({}),
      ],
    });
    expect(await ask('PATCH', '/console/v1/gates/dark_mode', 'reference-key', { team: 'anybody' })).toMatchObject({
      status: 200,
    });
  });

  test('listens on a socket, in the place of one that a dead server left behind', async () => {
    const path = join(folder(), 'socket');
    const argv = ['--unix-socket', path];
    const dispatcher = () => new Agent({ connect: { socketPath: path } });
    const first = await serving(argv, {}, dispatcher());
    expect(first.out).toContain(`curl --unix-socket ${path} -H`);
    expect((await first.ask('GET', '/console/v1/segments', 'reference-key')).status).toBe(200);
    expect(await conform(['serve', ...argv])).toMatchObject({
      code: 2,
      err: `conform: ${path} is there already; choose another with --unix-socket\n`,
    });
    expect(await first.stop()).toBe(0);
    const dies =
      "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    expect(spawnSync(process.execPath, ['--eval', dies, path]).signal).toBe('SIGKILL');
    expect(lstatSync(path).isSocket()).toBe(true);
    const second = await serving(argv, {}, dispatcher());
    expect((await second.ask('GET', '/console/v1/segments', 'reference-key')).status).toBe(200);
  });

  test('begins with behaviours of a file, takes what clients prefer, and tells that it is ready in a file', async () => {
    const file = written('behaviours.json', { behaviours: [{ id: 'b', then: [{ status: 503 }] }] });
    const ready = join(folder(), 'ready.json');
    const { ask, url, stop } = await serving(['--port', '0', '--behaviours', file, '--prefer', '--ready-file', ready]);
    await vi.waitUntil(() => existsSync(ready));
    expect(JSON.parse(readFileSync(ready, 'utf8'))).toEqual({ url, control: `${url}/_reference/v1`, pid: process.pid });
    const preferring = await fetch(`${url}/console/v1/segments`, {
      headers: { 'SERVICE-API-KEY': 'reference-key', Prefer: 'code=429' },
    });
    expect(preferring.status).toBe(429);
    const list = async () => (await ask('GET', '/console/v1/segments', 'reference-key')).status;
    expect([await list(), await list()]).toEqual([503, 200]);
    await stop();
    expect(existsSync(ready)).toBe(false);
  });

  test('reads a folder with a file for each collection', async () => {
    const into = folder();
    written('seed.json', { extends: 'empty' }, into);
    written('gates.json', [{ id: 'mine', idType: 'orgID' }], into);
    mkdirSync(join(into, 'old.json'));
    written('README.md', 'what this is', into);
    const { ask } = await serving(['--port', '0', '--seed', into]);
    expect((await ask('PATCH', gate, 'reference-key', { idType: 'orgID' })).status).toBe(200);
  });
});

describe('a mistake in the flags of serve is one line and exit code 2:', () => {
  const seeded = (content: unknown): string => written('seed.json', content);
  const inFolder = (files: Readonly<Record<string, unknown>>): string => {
    const into = folder();
    for (const [name, content] of Object.entries(files)) written(name, content, into);
    return into;
  };
  const pems = (): readonly [cert: string, key: string] => {
    const { cert, key } = authority.issue();
    return [written('cert.pem', cert), written('key.pem', key)];
  };

  // biome-ignore format: a table
  const rows: readonly (readonly [what: string, argv: () => readonly string[], says: RegExp])[] = [
    ['a seed that is not there',        () => ['--seed', '/nowhere/seed.json'],                       /cannot read the seed \/nowhere\/seed\.json \(ENOENT\)/],
    ['a seed of too long a name',       () => ['--seed', 'a'.repeat(300)]  ,                          /cannot read the seed a+ \(ENAMETOOLONG\)/],
    ['a seed that is no JSON',          () => ['--seed', seeded('{')],                                /seed\.json is not valid JSON/],
    ['a seed with a member nobody has', () => ['--seed', seeded({ gates: [{ id: 'a', isEnable: true }] })], /seed\.json: \/gates\/0\/isEnable is not a known field; did you mean isEnabled\?; `npx conform schema seed` prints its schema/],
    ['a seed with another collection',  () => ['--seed', seeded({ gate: [], x: 1 })],                 /seed\.json: \/gate is not a known field; did you mean gates\?; \/x is not a known field/],
    ['a seed with an id twice',         () => ['--seed', seeded({ gates: ['a', 'a'] })],              /seed\.json: \/gates\/1 is "a" again, after \/gates\/0/],
    ['a folder without files',          () => ['--seed', inFolder({})],                               /has no file; gates\.json would be/],
    ['a file of no collection',         () => ['--seed', inFolder({ 'gate.json': [] })],              /gate\.json is no file of a seed: .*did you mean gates\.json/],
    ['a wrong file of a folder',        () => ['--seed', inFolder({ 'gates.json': [{ isEnabled: 1 }] })], /gates\.json: \/0\/id is required/],
    ['no list in a file of a folder',   () => ['--seed', inFolder({ 'gates.json': {} })],             /gates\.json: the whole file must be an array/],
    ['a collection in two files',       () => ['--seed', inFolder({ 'gates.json': [], 'seed.json': { gates: [] } })], /seed\.json: \/gates is in gates\.json too/],
    ['a seed that nests too deep',      () => ['--seed', seeded(`{"prompts":${'['.repeat(1000)}${']'.repeat(1000)}}`)], /seed\.json: the whole file nests deeper than 200 levels/],
    ['behaviours that are none',        () => ['--behaviours', seeded({ then: [{ status: 99 }] })],   /seed\.json: This is no behaviour\. \/then\/0\/status/],
    ['a list of behaviours',            () => ['--behaviours', seeded([])],                           /seed\.json: the whole file must be an object/],
    ['a key without a name',            () => ['--key', 'secret'],                                    /--key must be NAME=KEY or NAME=KEY:read-only/],
    ['a key that is only a role',       () => ['--key', 'ci=:read-only'],                             /--key ci has no key before its role/],
    ['a role that is misspelt',         () => ['--key', 'ci=secret:readonly'],                                /--key ci ends in no role; the roles are read-write and read-only/],
    ['a prefix that begins no key',     () => ['--sandboxes', 'a b'],                                         /--sandboxes "a b" begins no key/],
    ['a socket of too long a name',     () => ['--unix-socket', `/tmp/${'x'.repeat(120)}`],                   /--unix-socket takes a path of at most 103 bytes/],
    ['a store of another kind',         () => ['--store', 'mysql://db/x'],                                    /a store is memory, a folder, or an address that begins with postgres:/],
    ['a name twice',                    () => ['--key', 'a=secret1', '--key', 'a=secret2'],           /--key a is given twice/],
    ['a key twice',                     () => ['--key', 'a=secret', '--api-key', 'secret'],           /--key a is the same key as api-key/],
    ['a key that no header can carry',  () => ['--key', 'a=secré\n'],                                 /--key a has characters that cannot stand in an HTTP header/],
    ['an empty key',                    () => ['--api-key', ''],                                      /--api-key is empty/],
    ['a header that is none',           () => ['--api-key-header', 'a b'],                            /--api-key-header "a b" must match/],
    ['a header of pages that is none',  () => ['--cors-header', 'a,b'],                               /--cors-header "a,b" is no name of a header/],
    ['a certificate without its key',   () => ['--tls-cert', pems()[0]],                              /--tls-cert without --tls-key/],
    ['a key without a certificate',     () => ['--tls-key', pems()[1]],                               /--tls-key without --tls-cert/],
    ['a certificate that is none',      () => ['--tls-cert', seeded('x'), '--tls-key', pems()[1]],    /--tls-cert \S+ cannot be used/],
    ['a certificate of nothing',        () => ['--tls-cert', seeded(''), '--tls-key', seeded('')],    /--tls-cert \S+ cannot be used \(it is empty\)/],
    ['the key of another certificate',  () => ['--tls-cert', pems()[0], '--tls-key', pems()[1]],      /--tls-key \S+ is not the key of --tls-cert \S+/],
    ['a socket and a port',             () => ['--unix-socket', '/tmp/x', '--port', '1'],             /--unix-socket takes no --port and no --host/],
    ['a socket that is a file',         () => ['--unix-socket', seeded({})],                          /seed\.json is there already/],
    ['a socket in no folder',           () => ['--unix-socket', '/nowhere/socket'],                   /cannot listen on \/nowhere\/socket/],
  ];

  test.each(rows)('%s', async (_, argv, says) => {
    const given = argv();
    const { code, out, err } = await conform([
      'serve',
      ...(given.includes('--unix-socket') ? [] : ['--port', '0']),
      ...given,
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect(err).toMatch(/^conform: [^\n]+\n$/);
    expect(err).not.toMatch(/secr/);
  });
});

test.each(endingSignals)('%s stops it in order', async signal => {
  const running = started(['serve', '--port', '0']);
  await running.says(/Ctrl-C stops it/);
  running.child.kill(signal);
  expect(await running.ended).toBe(0);
});

test('a ready file takes the place of no other file, and is removed only while it is one', async () => {
  const at = join(folder(), 'seed.json');
  writeFileSync(at, '{}');
  expect(await conform(['serve', '--port', '0', '--seed', at, '--ready-file', at])).toMatchObject({
    code: 2,
    err: `conform: --ready-file: ${at} is there already, and is no ready file; give another path\n`,
  });
  expect(readFileSync(at, 'utf8')).toBe('{}');
  const ready = join(folder(), 'ready.json');
  const { stop } = await serving(['--port', '0', '--ready-file', ready]);
  await vi.waitUntil(() => existsSync(ready));
  writeFileSync(ready, 'of somebody else');
  await stop();
  expect(readFileSync(ready, 'utf8')).toBe('of somebody else');
});

test('a ready file that cannot be written ends it: nothing listens any more', async () => {
  const { code, out, err } = await conform(['serve', '--port', '0', '--ready-file', folder()]);
  expect([code, err]).toEqual([2, expect.stringContaining('choose another place with --ready-file')]);
  const [, url = ''] = /base URL +(\S+)/.exec(out) ?? [];
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
