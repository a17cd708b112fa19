import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compared, inLine, median, timed } from './measure.ts';
import { builtProgram } from './measured-run.ts';

/** Milliseconds that a whole node process takes. */
const processTime = (args: readonly string[]) => (): Promise<number> =>
  timed(async () => {
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  });

/** Prints what starting costs, and how long a whole run of a profile takes. Needs the built program. */
export async function startup(print: (line: string) => void): Promise<void> {
  const program = builtProgram();
  const help = await compared(processTime([program, '--help']), processTime(['-e', '0']));
  print(`--help over node -e 0           ${inLine(help)}`);
  print(`  ${help.first.toFixed(0)} ms over ${help.second.toFixed(0)} ms`);
  const out = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  try {
    for (const profile of ['quick', 'standard']) {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        times.push(await processTime([program, 'run', '--profile', profile, '--out', out])());
      }
      const [least, most] = [Math.min(...times), Math.max(...times)].map(time => (time / 1000).toFixed(2));
      print(
        `whole run, ${profile.padEnd(9)}            ${(median(times) / 1000).toFixed(2)} s (${least} to ${most}, median of 5)`,
      );
    }
    print('  node dist/cli/main.js run, embedded reference server in the same process, from start to exit');
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
