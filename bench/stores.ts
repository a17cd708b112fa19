import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { specificationNaming } from '../contracts/target.ts';
import { backendFor, fixtures, type Snapshot } from '../reference-server/index.ts';
import { noPostgres, startCluster } from '../reference-server/proof/stores/postgres.fixture.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { compared, inLine, median, perSecond, timed } from './measure.ts';
import { builtProgram } from './measured-run.ts';
import { replayed } from './recording.ts';
import { apiKey, startServer } from './servers.ts';

/** How many requests are in flight, and how many one measurement sends. */
const atOnce = 8;
const count = 600;

const headers = { 'SERVICE-API-KEY': apiKey, 'content-type': 'application/json' };
const metric = (name: string) => ({
  name,
  type: 'event_count_custom',
  metricEvents: [{ name: 'page_view', type: 'count' }],
});

/** The requests of one measurement, which has a number. */
const kinds: Readonly<Record<string, (index: number, measurement: number) => WireRequest>> = {
  'GET list': () => ({ method: 'GET', path: '/console/v1/segments?limit=10', headers, body: undefined }),
  PATCH: index => ({
    method: 'PATCH',
    path: '/console/v1/gates/dark_mode',
    headers,
    body: JSON.stringify({ description: `the ${index}th` }),
  }),
  POST: (index, measurement) => ({
    method: 'POST',
    path: '/console/v1/metrics',
    headers,
    body: JSON.stringify(metric(`m${measurement}_${index}`)),
  }),
};

let measurements = 0;

const speedOf = (server: Awaited<ReturnType<typeof startServer>>, kind: string) => async (): Promise<number> => {
  measurements += 1;
  await server.reset();
  const requests = Array.from({ length: count }, (_, index) => kinds[kind]?.(index, measurements) as WireRequest);
  const milliseconds = await timed(async () => {
    const answers = (await replayed(server.url, requests, atOnce)) as readonly { data?: unknown; message?: string }[];
    const refused = answers.find(({ data }) => data === undefined);
    if (refused !== undefined) throw new Error(`${kind} was refused: ${refused.message}`);
  });
  return perSecond(count, milliseconds);
};

/** Prints how a store compares with that in memory, both behind a server in a process of its own. */
async function besideMemory(title: string, store: string, print: (line: string) => void): Promise<void> {
  const memory = await startServer(null);
  const kept = await startServer(null, { store });
  try {
    for (const kind of Object.keys(kinds)) {
      const result = await compared(speedOf(kept, kind), speedOf(memory, kind));
      print(`${`${title} over memory, ${kind}`.padEnd(36)} ${inLine(result)}`);
      print(`  ${result.first.toFixed(0)} and ${result.second.toFixed(0)} requests/s`);
    }
  } finally {
    kept.close();
    memory.close();
  }
}

/** Milliseconds from the start of `conform serve` to its first answer. */
const firstAnswer = (store: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const args = [builtProgram(), 'serve', '--port', '0', '--api-key', apiKey, '--store', store];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let taken: number | undefined;
    child.once('error', reject);
    child.once('exit', code =>
      taken === undefined ? reject(new Error(`serve ended with code ${code}`)) : resolve(taken),
    );
    child.stdout.on('data', async chunk => {
      output += String(chunk);
      const url = /base URL {2}(\S+)/.exec(output)?.[1];
      if (url === undefined || taken !== undefined) return;
      taken = 0;
      await (await fetch(`${url}/console/v1/segments`, { headers })).arrayBuffer();
      taken = performance.now() - begun;
      child.kill('SIGINT');
    });
  });

/** Milliseconds from the start of a Node process that does nothing to its end. */
const bareNode = (): Promise<number> =>
  timed(() => new Promise<void>(done => spawn(process.execPath, ['-e', '0']).once('exit', () => done())));

/** Prints how long `conform serve` takes until it answers, beside a Node process that does nothing. */
async function starts(title: string, store: string, print: (line: string) => void): Promise<void> {
  const times: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    times.push(await firstAnswer(store));
    bare.push(await bareNode());
  }
  // The first one makes the files.
  const [first, ...later] = times as [number, ...number[]];
  const spread = `${Math.min(...later).toFixed(0)} to ${Math.max(...later).toFixed(0)}`;
  print(
    `${`first answer, ${title}`.padEnd(36)} ${median(later).toFixed(0)} ms (${spread}, median of 5; the first time ${first.toFixed(0)}); node -e 0 ${median(bare).toFixed(0)} ms`,
  );
}

/** How many entities a large snapshot differs in from the seed. */
const many = 5000;

/** Prints how long it takes to load a snapshot, after a change each time. */
async function loads(title: string, place: string, print: (line: string) => void): Promise<void> {
  const backend = await backendFor(place);
  try {
    const { store, states } = await backend.world('loads', fixtures(specificationNaming));
    for (const count of [1, many]) {
      await store.transaction(async transaction => {
        for (let index = 0; index < count; index += 1)
          await transaction.put('segments', `s${index}`, { id: `s${index}`, count: index });
      });
      await states.save('kept', () => null);
      const times: number[] = [];
      for (let round = 0; round <= 20; round += 1) {
        await store.put('segments', 'after', { id: 'after', count: round });
        const begun = performance.now();
        await store.restore((await states.get('kept'))?.state as Snapshot);
        times.push(performance.now() - begun);
      }
      // The first one takes the rows of the world away, from which the snapshot was copied.
      const [first = Number.NaN, ...later] = times;
      const line = `${median(later).toFixed(1)} ms (median of 20; the first ${first.toFixed(1)}), ${count} entities changed`;
      print(`${`snapshot loaded, ${title}`.padEnd(36)} ${line}`);
    }
  } finally {
    await backend.close();
  }
}

/** Prints each store beside that in memory, and how soon a server answers. Needs the built program. */
export async function stores(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  const cluster = noPostgres === undefined ? await startCluster() : undefined;
  try {
    await starts('memory', 'memory', print);
    await starts('folder, opened again', join(folder, 'started'), print);
    await loads('memory', 'memory', print);
    await loads('folder', join(folder, 'loaded'), print);
    await besideMemory('folder', join(folder, 'measured'), print);
    if (cluster === undefined) print(noPostgres ?? '');
    else await besideMemory('PostgreSQL', await cluster.database(), print);
    print(
      `  ${count} requests a time, ${atOnce} in flight; PostgreSQL on the same machine, over a socket, not waiting for the disk`,
    );
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
