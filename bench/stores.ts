import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** Number of requests in one measurement. */
const count = 600;

const headers = { 'SERVICE-API-KEY': apiKey, 'content-type': 'application/json' };
const metric = (name: string) => ({
  name,
  type: 'event_count_custom',
  metricEvents: [{ name: 'page_view', type: 'count' }],
});

/** The requests of each kind, by index and number of the measurement. */
const requestsOf: Readonly<Record<string, (index: number, measurement: number) => WireRequest>> = {
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

/** The measurements: the kind of request, and the number in flight. */
const measured: readonly (readonly [kind: string, atOnce: number])[] = [
  ['GET list', 8],
  ['PATCH', 8],
  ['PATCH', 1],
  ['POST', 8],
];

let measurements = 0;

const speedOf = (server: Awaited<ReturnType<typeof startServer>>, kind: string, atOnce: number) => async () => {
  measurements += 1;
  await server.reset();
  const requests = Array.from({ length: count }, (_, index) => requestsOf[kind]?.(index, measurements) as WireRequest);
  const milliseconds = await timed(async () => {
    const answers = (await replayed(server.url, requests, atOnce)) as readonly { data?: unknown; message?: string }[];
    const refused = answers.find(({ data }) => data === undefined);
    if (refused !== undefined) throw new Error(`${kind} was refused: ${refused.message}`);
  });
  return perSecond(count, milliseconds);
};

/** Prints how a store compares with memory, both behind a server in a process of its own. */
async function besideMemory(title: string, store: string, print: (line: string) => void): Promise<void> {
  const memory = await startServer(null);
  const kept = await startServer(null, { store });
  try {
    for (const [kind, atOnce] of measured) {
      const result = await compared(speedOf(kept, kind, atOnce), speedOf(memory, kind, atOnce));
      print(`${`${title} over memory, ${kind}, ${atOnce} at once`.padEnd(40)} ${inLine(result)}`);
      print(`  ${result.first.toFixed(0)} and ${result.second.toFixed(0)} requests/s`);
    }
  } finally {
    kept.close();
    memory.close();
  }
}

/** The cost of `conform serve` until its first answer. */
interface FirstAnswer {
  readonly milliseconds: number;
  /** The peak of its resident memory until then. */
  readonly megabytes: number;
}

/** Measures from the start of `conform serve` to its first answer. */
const firstAnswer = (store: string): Promise<FirstAnswer> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const args = [builtProgram(), 'serve', '--port', '0', '--api-key', apiKey, '--store', store];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let isAsked = false;
    let first: FirstAnswer | undefined;
    child.once('error', reject);
    child.once('exit', code =>
      first === undefined ? reject(new Error(`serve ended with code ${code}`)) : resolve(first),
    );
    child.stdout.on('data', async chunk => {
      output += String(chunk);
      const url = /base URL {2}(\S+)/.exec(output)?.[1];
      if (url === undefined || isAsked) return;
      isAsked = true;
      await (await fetch(`${url}/console/v1/segments`, { headers })).arrayBuffer();
      const milliseconds = performance.now() - begun;
      const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      first = { milliseconds, megabytes: Number(kilobytes) / 1024 };
      child.kill('SIGINT');
    });
  });

/** Returns the milliseconds from start to end of a Node process that does nothing. */
const bareNode = (): Promise<number> =>
  timed(() => new Promise<void>(done => spawn(process.execPath, ['-e', '0']).once('exit', () => done())));

/** Number of measurements of each start, interleaved. */
const rounds = 7;

/** Prints how long `conform serve` takes until it answers, relative to a Node process that does nothing. Linux only. */
async function starts(folder: string, print: (line: string) => void): Promise<void> {
  const bare: number[] = [];
  const found = new Map<string, FirstAnswer[]>();
  for (let round = 0; round <= rounds; round += 1) {
    const own = join(folder, `started-${round}`);
    const nodeAlone = await bareNode();
    if (round > 0) bare.push(nodeAlone);
    for (const [title, store] of [
      ['memory', 'memory'],
      ['a new folder', own],
      ['a folder opened again', own],
    ] as const) {
      const answer = await firstAnswer(store);
      // The first round warms up the caches of the system.
      if (round > 0) found.set(title, [...(found.get(title) ?? []), answer]);
    }
  }
  for (const [title, answers] of found) {
    const times = answers.map(({ milliseconds }) => milliseconds);
    const ratio = median(times.map((time, index) => time / (bare[index] ?? Number.NaN)));
    const peak = median(answers.map(({ megabytes }) => megabytes));
    const spread = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}, median of ${rounds}`;
    print(
      `${`first answer, ${title}`.padEnd(40)} ${median(times).toFixed(0)} ms (${spread}), ${ratio.toFixed(1)} × node -e 0 (${median(bare).toFixed(0)} ms), ${peak.toFixed(0)} MB`,
    );
  }
}

/** Number of entities in which a large snapshot differs from the seed. */
const many = 5000;

/** Prints how long loading a snapshot takes, each time after a change. */
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
      // The first load deletes the rows of the world from which the snapshot was copied.
      const [first = Number.NaN, ...later] = times;
      const line = `${median(later).toFixed(1)} ms (median of 20; the first ${first.toFixed(1)}), ${count} entities changed`;
      print(`${`snapshot loaded, ${title}`.padEnd(40)} ${line}`);
    }
  } finally {
    await backend.close();
  }
}

/** Prints each store relative to memory, and how soon a server answers. Needs the built program. */
export async function stores(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  const cluster = noPostgres === undefined ? await startCluster() : undefined;
  try {
    await starts(folder, print);
    await loads('memory', 'memory', print);
    await loads('folder', join(folder, 'loaded'), print);
    await besideMemory('folder', join(folder, 'measured'), print);
    if (cluster === undefined) print(noPostgres ?? '');
    else await besideMemory('PostgreSQL', await cluster.database(), print);
    print(`  ${count} requests a time; PostgreSQL on the same machine, over a socket, not waiting for the disk`);
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
