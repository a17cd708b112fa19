import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  clearPlaces,
  describeStore,
  places,
  sharedCluster,
} from '../../reference-server/proof/stores/places.fixture.ts';
import { closedPort } from '../../suites/proof/testing/doubles.ts';
import { commandLine, started } from '../testing/process.fixture.ts';

afterAll(clearPlaces);

const headers = { 'SERVICE-API-KEY': 'reference-key', 'content-type': 'application/json' };

const gateAt = async (url: string) =>
  (await (await fetch(`${url}/_reference/v1/state/gates/dark_mode`)).json()) as { readonly description?: string };

/** Starts `serve` over a store, with functions to use it. */
async function serving(store: string) {
  const { port } = new URL(await closedPort());
  const url = `http://127.0.0.1:${port}`;
  const server = started(['serve', '--port', port, '--store', store]);
  await server.says(/Ctrl-C stops it/);
  const patch = async (body: object): Promise<number> => {
    const answer = await fetch(`${url}/console/v1/gates/dark_mode`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    });
    await answer.text();
    return answer.status;
  };
  const described = async () => (await gateAt(url)).description;
  const health = async () => {
    const answer = await fetch(`${url}/_reference/health`);
    return { status: answer.status, json: await answer.json() };
  };
  const recovered = async (): Promise<void> => {
    while ((await patch({ description: 'after' })) !== 200) await new Promise(resolve => setTimeout(resolve, 50));
  };
  return { server, patch, described, health, recovered };
}

const stopped = async ({ server }: Awaited<ReturnType<typeof serving>>) => {
  server.child.kill('SIGINT');
  return server.ended;
};

describeStore(places.shared, make => {
  test('serve tells once why its PostgreSQL cannot be used, answers 503, and goes on when it can', async () => {
    const one = await serving(await make());
    expect(await one.patch({ description: 'before' })).toBe(200);
    const mend = await (await sharedCluster()).fail('stopped');
    for (let count = 0; count < 20; count += 1) expect(await one.patch({ description: 'never' })).toBe(503);
    expect(await one.health()).toEqual({
      status: 503,
      json: { status: 503, message: expect.stringMatching(/^The store cannot be used: .+\.$/) },
    });
    await mend();
    await one.recovered();
    expect(await one.described()).toBe('after');
    expect(await one.health()).toEqual({ status: 200, json: { status: 'ok' } });
    expect(one.server.err()).toMatch(
      /^conform: cannot use the store at postgres:\/\/tester@localhost\/d\d+: [^\n]+\n$/,
    );
    expect(await stopped(one)).toBe(0);
  });
});

/** True if the size of a process's files can be limited from outside, as with util-linux on Linux. */
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!hasLimits)('a folder on a disk that is full', () => {
  test('is told of once with 503, and written again when there is room', async () => {
    const one = await serving(await places.folder.make());
    const room = (bytes: string): void =>
      void spawnSync('prlimit', [`--pid=${one.server.child.pid}`, `--fsize=${bytes}:`]);
    expect(await one.patch({ description: 'before' })).toBe(200);
    room('0');
    const statuses: number[] = [];
    while (statuses.length < 20) statuses.push(await one.patch({ description: 'never' }));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(await one.health()).toEqual({
      status: 503,
      json: { status: 503, message: 'The store cannot be used: its disk is full.' },
    });
    room('unlimited');
    await one.recovered();
    expect(await one.described()).toBe('after');
    expect(one.server.err()).toMatch(/^conform: cannot use the store at [^\n]+: its disk is full\n$/);
    expect(await stopped(one)).toBe(0);
  });
});

test('serve ends, and writes nothing more, when another process has taken its folder', async () => {
  const folder = await places.folder.make();
  const one = await serving(folder);
  writeFileSync(join(folder, 'process.id'), '{"pid":1,"host":"elsewhere"}\n');
  expect(await one.patch({ description: 'never' }).catch(() => 'no answer')).not.toBe(200);
  expect(await one.server.ended).toBe(2);
  expect(one.server.err().split('\n').slice(0, -1)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^conform: .+: another process has taken its folder over$/)]),
  );
});

/** The arguments that start a process in a PID namespace of its own, as in another container. */
const apart = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = spawnSync('unshare', [...apart, 'true']).status === 0;
if (!hasNamespaces) console.warn('No process may have a PID namespace of its own here: two containers are not tested.');

describe.skipIf(!hasNamespaces)('two containers with one folder', () => {
  const contained = (folder: string) => {
    const argv = [...apart, process.execPath, commandLine, 'serve', '--port', '0', '--store', folder];
    // In a group of its own, so that a signal reaches every process, whoever its parent is in the namespace.
    const child = spawn('unshare', argv, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    const kill = (): void => {
      if (child.exitCode === null && child.signalCode === null)
        process.kill(-(child.pid ?? expect.unreachable()), 'SIGKILL');
    };
    onTestFinished(kill);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += String(chunk)));
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    const serves = new Promise<string>(resolve =>
      child.stdout.on('data', () => /Ctrl-C stops it/.test(text) && resolve(/base URL {2}(\S+)/.exec(text)?.[1] ?? '')),
    );
    return { kill, ended, serves, text: () => text };
  };

  test('the second is refused while the first lives, and has what was acknowledged when it is gone', async () => {
    const folder = await places.folder.make();
    const first = await serving(folder);
    const second = contained(folder);
    expect(await second.ended).toBe(2);
    expect(second.text()).toMatch(
      /^conform: the store in .+ is in use by the process \d+, in another container or on another machine \(.+\); one process at a time may open it\n$/,
    );
    expect(await first.patch({ description: 'acknowledged' })).toBe(200);
    first.server.child.kill('SIGKILL');
    await first.server.ended;
    const third = contained(folder);
    const url = await third.serves;
    expect((await gateAt(url)).description).toBe('acknowledged');
    third.kill();
    await third.ended;
  });
});
