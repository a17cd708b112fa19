import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RunEvent } from '../contracts/report/journal.ts';
import { referenceTarget } from '../reference-server/index.ts';

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const preload = new URL('./usage-at-exit.mjs', import.meta.url).href;

/** Returns the path of the built command line. Throws if it has not been built. */
export function builtProgram(): string {
  if (!existsSync(program)) throw new Error('there is no dist/cli/main.js; npm run build makes it');
  return program;
}

/** The cost of one run of the command line, and its journal. */
export interface MeasuredRun {
  /** From the start of the process to its end. */
  readonly wallMs: number;
  /** Processor time of the process with all its threads. */
  readonly cpuMs: number;
  /** The peak of resident memory, in megabytes. */
  readonly peakMb: number;
  readonly journalMb: number;
  readonly exitCode: number;
  readonly events: readonly RunEvent[];
}

/**
 * Runs the built command line in a process of its own, with the target file of the reference server, and measures it.
 * Throws if the process was killed, which happens after `timeoutMs`.
 */
export async function measuredRun(
  url: URL,
  apiKey: string,
  flags: readonly string[],
  timeoutMs = 600_000,
): Promise<MeasuredRun> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  const config = join(folder, 'target.json');
  const out = join(folder, 'out');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url.href }));
  const started = performance.now();
  try {
    const args = ['--import', preload, builtProgram(), 'run', '--config', config, '--out', out, ...flags];
    const env = { ...process.env, SERVICE_API_KEY: apiKey, GITHUB_ACTIONS: '' };
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', resolve);
    });
    const [exitCode, said, usage] = await Promise.all([
      ended,
      text(child.stderr as Readable),
      text(child.stdio[3] as Readable),
    ]);
    const wallMs = performance.now() - started;
    if (exitCode === null || usage === '')
      throw new Error(`the run ended with ${exitCode ?? child.signalCode} after ${Math.round(wallMs)} ms: ${said}`);
    const { peakKilobytes, cpuMs } = JSON.parse(usage) as { peakKilobytes: number; cpuMs: number };
    const journal = join(out, 'journal.ndjson');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    return {
      wallMs,
      cpuMs,
      peakMb: peakKilobytes / 1024,
      journalMb: statSync(journal).size / 1e6,
      exitCode,
      events: lines.map(line => JSON.parse(line) as RunEvent),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the `run-end` of a journal. Throws if the journal is truncated. */
export function endOf({ events }: MeasuredRun): Extract<RunEvent, { event: 'run-end' }> {
  const last = events.at(-1);
  if (last?.event !== 'run-end') throw new Error('the journal was cut off');
  return last;
}
