import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { referenceTarget } from '../reference-server/index.ts';
import { runDefaults } from '../suites/engine/config.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { targetOf } from '../suites/sut/target.ts';
import { compared, inLine } from './measure.ts';
import { speedOf } from './recording.ts';
import { apiKey, startServer } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

const count = 3000;
const { concurrency } = runDefaults;

const program = fileURLToPath(new URL('./node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
const document = fileURLToPath(new URL('../contracts/openapi.json', import.meta.url));

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>(resolve => probe.close(() => resolve()));
  return port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });

/**
 * Starts Prism's mock of `contracts/openapi.json` with the given flags on a free port of the loopback interface. Its
 * process always ends with this one, because that closes the channel between them.
 */
async function startPrism(flags: readonly string[]): Promise<{ readonly url: URL; close(): void }> {
  const port = await freePort();
  const child = fork(program, ['mock', '--host', '127.0.0.1', '--port', `${port}`, ...flags, document], {
    execArgv: ['--import', 'data:text/javascript,process.once("disconnect",()=>process.exit(0))'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  while (!(await accepts(port))) {
    if (ended) throw new Error(`Prism ended with code ${child.exitCode} before it listened`);
    await pause(50);
  }
  return { url: new URL(`http://127.0.0.1:${port}`), close: () => void child.kill('SIGKILL') };
}

/** Returns the endpoints whose minimal request a server answers with success. */
async function answering(origin: URL, requests: ReadonlyMap<string, WireRequest>): Promise<ReadonlySet<string>> {
  const successes = new Set<string>();
  for (const [id, { method, path, headers, body }] of requests) {
    const answer = await request(new URL(path, origin), { method: method as 'GET', headers, body: body ?? null });
    await answer.body.dump();
    if (answer.statusCode >= 200 && answer.statusCode < 300) successes.add(id);
  }
  return successes;
}

/** The measured ways to start Prism. */
// biome-ignore format: a table
const ways = [
  { title: "reference over Prism's mock",    how: 'as it starts: it logs each request, here to nowhere', flags: [] },
  { title: 'reference over Prism, no log',   how: 'its log off',                                         flags: ['--verboseLevel', 'silent'] },
  { title: 'reference over Prism --dynamic', how: 'its log off, each answer generated anew',             flags: ['--verboseLevel', 'silent', '--dynamic'] },
] as const;

/** Measures the reference server's requests per second relative to Prism's, with requests that both accept. */
async function over(reference: URL, { title, how, flags }: (typeof ways)[number]): Promise<string[]> {
  const prism = await startPrism(flags);
  try {
    const requests = steadyRequests(targetOf(referenceTarget(), reference, apiKey));
    const ours = await answering(reference, requests);
    const theirs = await answering(prism.url, requests);
    const both = [...requests].filter(([id]) => ours.has(id) && theirs.has(id)).map(([, wire]) => wire);
    if (both.length === 0) throw new Error('there is no request that both servers answer with success');
    const speed = (url: URL) => speedOf(url, both, count, concurrency);
    const result = await compared(speed(reference), speed(prism.url));
    return [
      `${title.padEnd(32)}${inLine(result)}`,
      `  reference server ${result.first.toFixed(0)} requests/s, Prism ${result.second.toFixed(0)} requests/s (${how})`,
      `  2xx to the minimal requests of ${requests.size} endpoints: reference server ${ours.size}, Prism ${theirs.size}; measured with the ${both.length} that both answer so`,
    ];
  } finally {
    prism.close();
  }
}

/** Prints the ratios, or how to install Prism if it is missing. */
export async function prism(print: (line: string) => void): Promise<void> {
  if (!existsSync(program))
    return print("reference over Prism's mock     not measured: `npm ci --prefix bench` installs Prism");
  const reference = await startServer(null);
  try {
    for (const way of ways) for (const line of await over(reference.url, way)) print(line);
    print(
      `  ${count} requests a time, ${concurrency} in flight, one client loop for both, each server in a process of its own`,
    );
  } finally {
    reference.close();
  }
}
