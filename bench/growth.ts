import { seconds } from './measure.ts';
import { endOf, type MeasuredRun, measuredRun } from './measured-run.ts';
import { apiKey, startServer } from './servers.ts';

const sizes = [1_000, 10_000, 100_000] as const;

/** Maximum growth of time and memory from ten thousand requests to a hundred thousand. */
const aims = { time: 10.5, memory: 1.25 };

/** Makes a run with that number of requests, against a server in another process. */
async function runOf(requests: number): Promise<MeasuredRun> {
  const server = await startServer(null);
  try {
    // More time than any machine needs, so that the number of requests ends the run.
    return await measuredRun(server.url, apiKey, ['--time', '30m', '--max-requests', String(requests)], 1_800_000);
  } finally {
    server.close();
  }
}

/** Prints the cost of a run with many requests, and how it grows with their number. */
export async function growth(print: (line: string) => void): Promise<void> {
  const runs = new Map<number, MeasuredRun>();
  for (const size of sizes) {
    const run = await runOf(size);
    runs.set(size, run);
    const { stats, outcome, because } = endOf(run);
    print(
      `${String(stats.requests).padStart(7)} requests ${seconds(run.wallMs).padStart(8)} ${seconds(run.cpuMs).padStart(8)} of processor time ${run.peakMb.toFixed(0).padStart(4)} MB at the peak, journal ${run.journalMb.toFixed(2)} MB, ${run.events.length} lines, ${outcome}${because === undefined ? '' : ` (${because})`}`,
    );
  }
  const [ten, hundred] = [runs.get(10_000), runs.get(100_000)];
  if (ten === undefined || hundred === undefined) throw new Error('both sizes are measured');
  print(`from 10,000 to 100,000 requests:`);
  print(`  memory at the peak  ${(hundred.peakMb / ten.peakMb).toFixed(2)} (aim ${aims.memory})`);
  print(`  processor time      ${(hundred.cpuMs / ten.cpuMs).toFixed(1)} (aim ${aims.time})`);
  print(
    `  time                ${(hundred.wallMs / ten.wallMs).toFixed(1)} (aim ${aims.time}), with that of the server, which keeps what is created`,
  );
  print(`  journal             ${(hundred.journalMb / ten.journalMb).toFixed(2)}`);
}
