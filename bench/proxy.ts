import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { referenceTarget } from '../reference-server/index.ts';
import { runDefaults } from '../suites/engine/config.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { targetOf } from '../suites/sut/target.ts';
import { compared, inLine, median, pairs } from './measure.ts';
import type { ProxyUsage, ToProxy } from './proxy-process.ts';
import { replayed, speedOf } from './recording.ts';
import { apiKey, startServer } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

const { concurrency } = runDefaults;

/** A proxy in a process of its own. */
interface ProxyProcess {
  readonly url: URL;
  usage(): Promise<ProxyUsage>;
  close(): void;
}

/** Starts our proxy, or the bare one, before a server. */
export async function startProxyProcess(kind: ToProxy['kind'], target: URL): Promise<ProxyProcess> {
  const child = fork(fileURLToPath(new URL('./proxy-process.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx', '--expose-gc'],
  });
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', code => reject(new Error(`the proxy ended with code ${code}`))),
  );
  // Avoid an unhandled rejection when the proxy ends and nobody waits for it.
  ended.catch(() => {});
  const told = <T>(): Promise<T> =>
    Promise.race([ended, new Promise<T>(resolve => child.once('message', message => resolve(message as T)))]);
  child.send({ kind, target: target.origin } satisfies ToProxy);
  const { url } = await told<{ url: string }>();
  return {
    url: new URL(url),
    usage() {
      child.send({});
      return told<ProxyUsage>();
    },
    close: () => child.disconnect(),
  };
}

/** Returns the median of the milliseconds that an exchange takes, in sequence over one connection. */
async function latencyOf(origin: URL, requests: readonly WireRequest[], count: number): Promise<number> {
  const pool = new Pool(origin.origin, { connections: 1 });
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { method, path, headers, body } = requests[index % requests.length] as WireRequest;
    const start = performance.now();
    const answer = await pool.request({ method: method as 'GET', path, headers, body: body ?? null });
    await answer.body.dump();
    taken.push(performance.now() - start);
  }
  await pool.close();
  return median(taken);
}

/** Prints the latency that the proxy adds, and its throughput relative to a minimal proxy. */
export async function proxy(print: (line: string) => void): Promise<void> {
  const server = await startServer(null);
  const ours = await startProxyProcess('conform', server.url);
  const bare = await startProxyProcess('bare', server.url);
  try {
    const all = [...steadyRequests(targetOf(referenceTarget(), server.url, apiKey)).values()];
    for (const url of [ours.url, bare.url, server.url]) await replayed(url, all, 1);
    const count = 1_000;
    const added: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
    for (let pair = 0; pair <= pairs; pair += 1) {
      const direct = await latencyOf(server.url, all, count);
      const through = await latencyOf(ours.url, all, count);
      const throughBare = await latencyOf(bare.url, all, count);
      if (pair === 0) continue;
      added.ours.push(through - direct);
      added.bare.push(throughBare - direct);
    }
    const line = (values: readonly number[]): string =>
      `${median(values).toFixed(2)} ms (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
    print(`latency added by the proxy       ${line(added.ours)}, by a bare pass-through ${line(added.bare)}`);
    print(`  medians of ${pairs} rounds of ${count} exchanges each, one after another over one connection`);
    const spent = new Map<ProxyProcess, number[]>([
      [ours, []],
      [bare, []],
    ]);
    const many = 6_000;
    const speed = (one: ProxyProcess) => async (): Promise<number> => {
      const before = await one.usage();
      const measured = await speedOf(one.url, all, many, concurrency)();
      spent.get(one)?.push((((await one.usage()).cpuMs - before.cpuMs) / many) * 1_000);
      return measured;
    };
    const result = await compared(speed(ours), speed(bare));
    print(`proxy over bare undici           ${inLine(result)}`);
    print(
      `  proxy ${result.first.toFixed(0)} requests/s, bare ${result.second.toFixed(0)} requests/s; 6,000 a time, ${concurrency} in flight, the minimal request of each endpoint in turn`,
    );
    const processor = (one: ProxyProcess): string => `${median(spent.get(one) ?? []).toFixed(0)} µs`;
    print(`  processor time of the proxy for an exchange: ours ${processor(ours)}, bare ${processor(bare)}`);
    print('  server, proxies and client each in a process of their own; the bare one reads and judges nothing');
  } finally {
    for (const one of [ours, bare, server]) one.close();
  }
}
