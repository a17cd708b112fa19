import { referenceTarget } from '../reference-server/index.ts';
import { runDefaults } from '../suites/engine/config.ts';
import { run } from '../suites/engine/run.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { targetOf } from '../suites/sut/target.ts';
import { compared, inLine, median, perSecond, timed } from './measure.ts';
import { recorded, replayed, speedOf } from './recording.ts';
import { apiKey, startServer } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

const { concurrency } = runDefaults;

async function standardRun(target: Target): Promise<void> {
  await run({ target, token: 'bench' }, () => {});
}

/** Measures the suite's requests per second relative to a bare loop that sends the same requests. */
async function harness(): Promise<string[]> {
  const server = await startServer(null);
  const target = targetOf(referenceTarget(), server.url, apiKey);
  try {
    const { requests, meanInFlight } = await recorded(() => standardRun(target));
    const atOnce = Math.max(1, Math.round(meanInFlight));
    const spent: Record<'run' | 'loop', number[]> = { run: [], loop: [] };
    const speed = (what: keyof typeof spent, work: () => Promise<unknown>) => async () => {
      await server.reset();
      const before = process.cpuUsage();
      const milliseconds = await timed(async () => void (await work()));
      const { user, system } = process.cpuUsage(before);
      spent[what].push((user + system) / requests.length);
      return perSecond(requests.length, milliseconds);
    };
    const result = await compared(
      speed('run', () => standardRun(target)),
      speed('loop', () => replayed(server.url, requests, atOnce)),
    );
    return [
      `harness over bare undici loop   ${inLine(result)}`,
      `  harness ${result.first.toFixed(0)} requests/s, bare loop ${result.second.toFixed(0)} requests/s`,
      `  processor time of this process for a request: harness ${median(spent.run).toFixed(0)} µs, bare loop ${median(spent.loop).toFixed(0)} µs`,
      `  the ${requests.length} requests of a standard run, recorded; on average ${meanInFlight.toFixed(1)} in flight, so the bare loop keeps ${atOnce}`,
      '  reference server in a child process, back to its fixtures before each; the bare loop parses every answer',
    ];
  } finally {
    server.close();
  }
}

/** Measures the reference server's requests and processor time relative to a bare Koa server with equal answers. */
async function server(): Promise<string[]> {
  const reference = await startServer(null);
  const requests = steadyRequests(targetOf(referenceTarget(), reference.url, apiKey));
  const answers = await replayed(reference.url, [...requests.values()], 1);
  const canned = Object.fromEntries([...requests.keys()].map((id, index) => [id, JSON.stringify(answers[index])]));
  const bare = await startServer(canned);
  const all = [...requests.values()];
  const count = 6000;
  /** Returns bare over reference as a line: processor time of the server's process for each of these requests. */
  const processorTime = async (what: string, sent: readonly WireRequest[]): Promise<string> => {
    const spent = (of: typeof bare) => async () => {
      const before = await of.processorTime();
      await speedOf(of.url, sent, count, concurrency)();
      return ((await of.processorTime()) - before) / count;
    };
    const result = await compared(spent(bare), spent(reference));
    return `  processor time, ${what}: ${inLine(result)}; bare ${result.first.toFixed(0)} µs, reference server ${result.second.toFixed(0)} µs`;
  };
  try {
    const speed = (url: URL) => speedOf(url, all, count, concurrency);
    const result = await compared(speed(reference.url), speed(bare.url));
    const readings = all.filter(({ method }) => method === 'GET');
    return [
      `reference server over bare Koa  ${inLine(result)}`,
      `  reference server ${result.first.toFixed(0)} requests/s, bare Koa and router ${result.second.toFixed(0)} requests/s`,
      await processorTime('readings', readings),
      await processorTime('all operations', all),
      `  ${count} requests a time, the minimal request of each of ${requests.size} endpoints in turn, ${concurrency} in flight, one client loop for both`,
      '  the bare application returns the same bytes and reads no body, checks no key, validates nothing',
    ];
  } finally {
    bare.close();
    reference.close();
  }
}

/** Prints both ratios. */
export async function throughput(print: (line: string) => void): Promise<void> {
  for (const line of await harness()) print(line);
  for (const line of await server()) print(line);
}
