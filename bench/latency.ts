import type { CheckEnd, RunEvent } from '../contracts/report/journal.ts';
import { runDefaults } from '../suites/engine/config.ts';
import { seconds } from './measure.ts';
import { endOf, measuredRun } from './measured-run.ts';
import { apiKey, startServer } from './servers.ts';

const delayMs = 50;
const { concurrency } = runDefaults;
const aim = 1.5;

interface Lane {
  readonly name: string;
  readonly requests: number;
  readonly durationMs: number;
  readonly units: readonly CheckEnd[];
}

/** Returns the requests and the total duration of each lane of a run, the slowest lane first. */
function lanesOf(events: readonly RunEvent[]): readonly Lane[] {
  const plan = events.find(event => event.event === 'run-start')?.plan ?? [];
  const ends = events.filter(event => event.event === 'check-end');
  return [...new Set(plan.map(({ lane }) => lane))]
    .map(name => {
      const own = new Set(plan.filter(({ lane }) => lane === name).map(({ id }) => id));
      const units = ends.filter(({ id }) => own.has(id));
      const sum = (of: (unit: CheckEnd) => number): number => units.reduce((total, unit) => total + of(unit), 0);
      return {
        name,
        units,
        requests: sum(({ stats }) => stats.requests),
        durationMs: sum(({ stats }) => stats.durationMs),
      };
    })
    .sort((a, b) => b.durationMs - a.durationMs);
}

/** Yields the slowest units, each with its average number of requests in flight. */
function* slowestUnits(lanes: readonly Lane[]): Generator<string> {
  const units = lanes.flatMap(lane => lane.units).sort((a, b) => b.stats.durationMs - a.stats.durationMs);
  for (const { id, stats } of units.slice(0, 10)) {
    const inFlight = (stats.requests * delayMs) / stats.durationMs;
    yield `    ${id.padEnd(44)} ${seconds(stats.durationMs).padStart(7)} ${String(stats.requests).padStart(5)} requests, ${inFlight.toFixed(1)} in flight`;
  }
}

/**
 * Prints how long a standard run takes against a server that delays every answer, relative to the minimum for its
 * requests. That minimum keeps all connections busy, but sends the requests of a lane in sequence. The whole process is
 * measured.
 */
export async function latency(print: (line: string) => void): Promise<void> {
  const server = await startServer(null, { delayMs });
  try {
    const run = await measuredRun(server.url, apiKey, []);
    const { requests, durationMs } = endOf(run).stats;
    const lanes = lanesOf(run.events);
    const longest = lanes.reduce((most, lane) => (lane.requests > most.requests ? lane : most));
    const least = delayMs * Math.max(requests / concurrency, longest.requests);
    print(`standard run at ${delayMs} ms an answer   ${(run.wallMs / least).toFixed(2)} x the least (aim ${aim})`);
    print(
      `  ${seconds(run.wallMs)}, of that the run itself ${seconds(durationMs)}; ${requests} requests, at ${concurrency} in flight ${seconds((delayMs * requests) / concurrency)}, longest lane (${longest.name}) ${longest.requests} requests, ${seconds(delayMs * longest.requests)}`,
    );
    for (const lane of lanes) {
      print(
        `  ${lane.name.padEnd(18)} ${seconds(lane.durationMs).padStart(7)} ${String(lane.requests).padStart(5)} requests`,
      );
    }
    print('  the units that took longest:');
    for (const line of slowestUnits(lanes)) print(line);
  } finally {
    server.close();
  }
}
