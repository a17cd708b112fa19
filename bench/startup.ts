import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compared, inLine, median, timed } from './measure.ts';
import { builtProgram } from './measured-run.ts';

/** Milliseconds that a whole process takes: of Node, unless `program` is another one. */
const processTime =
  (args: readonly string[], program = process.execPath) =>
  (): Promise<number> =>
    timed(async () => {
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { status } = spawnSync(program, args, { stdio: 'ignore', env });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
    });

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What shows a help, and what makes or installs it. */
const helps = {
  'conform.mjs': { files: [here('../dist/conform.mjs')], made: 'npm run bundle' },
  'Redocly CLI': { files: [here('./node_modules/@redocly/cli/bin/cli.js')], made: 'npm ci --prefix bench' },
  Schemathesis: {
    files: [here('./.venv/bin/python'), here('./.venv/bin/schemathesis')],
    made: 'bench/.venv/bin/pip install -r bench/requirements.txt',
  },
} as const;

/** Prints what starting costs, and how long a whole run of a profile takes. Needs the built program. */
export async function startup(print: (line: string) => void): Promise<void> {
  const program = builtProgram();
  const help = await compared(processTime([program, '--help']), processTime(['-e', '0']));
  print(`--help over node -e 0           ${inLine(help)}`);
  print(`  ${help.first.toFixed(0)} ms over ${help.second.toFixed(0)} ms`);
  for (const [name, { files, made }] of Object.entries(helps)) {
    if (!files.every(file => existsSync(file))) {
      print(`  ${name} is not there: ${made}`);
      continue;
    }
    const [first, ...others] = files;
    const time = others.length > 0 ? processTime([...others, '--help'], first) : processTime([first, '--help']);
    const ratio = await compared(time, processTime(['-e', '0']));
    print(`--help of ${name.padEnd(21)}${inLine(ratio)}, ${ratio.first.toFixed(0)} ms`);
  }
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
