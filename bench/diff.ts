import { referenceTarget } from '../reference-server/index.ts';
import { diff } from '../suites/diff/index.ts';
import { run } from '../suites/engine/run.ts';
import { targetOf } from '../suites/sut/target.ts';
import { compared, inLine, seconds, timed } from './measure.ts';
import { apiKey, startServer } from './servers.ts';

const profile = 'standard';

/**
 * Prints how long a comparison of two servers takes, relative to one run against one of them. The preceding noise runs
 * are left out. Both servers are reset to their fixtures before each measurement.
 */
export async function diffBench(print: (line: string) => void): Promise<void> {
  const servers = [await startServer(null), await startServer(null)];
  const [a, b] = servers.map(({ url }) => ({
    target: targetOf(referenceTarget(), url, apiKey),
    emit: () => undefined,
  }));
  if (a === undefined || b === undefined) throw new Error('there are two servers');
  const reset = async (): Promise<void> => void (await Promise.all(servers.map(server => server.reset())));
  const measured = await compared(
    async () => {
      await reset();
      return timed(async () => void (await diff({ a, b, run: { profile }, noiseRuns: 0, sameStart: true })));
    },
    async () => {
      await reset();
      return timed(() => run({ target: a.target, profile }, () => undefined));
    },
  );
  print(`diff: ${seconds(measured.first)}, one run: ${seconds(measured.second)}; ratio ${inLine(measured)}`);
  for (const server of servers) server.close();
}
