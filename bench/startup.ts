import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compared, inLine, median, timed } from './measure.ts';
import { builtProgram } from './measured-run.ts';

/** Returns a measurement of the milliseconds of a whole process: Node, unless `program` is another one. */
const processTime =
  (args: readonly string[], program = process.execPath) =>
  (): Promise<number> =>
    timed(async () => {
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { status } = spawnSync(program, args, { stdio: 'ignore', env });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`);
    });

/** Returns a measurement of a Node process's processor time in milliseconds, user and system, as a shell counts it. */
const processorTime = (args: readonly string[]) => async (): Promise<number> => {
  const timing = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" >/dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', timing, process.execPath, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return stderr
    .trim()
    .split(' ')
    .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
};

/** Number of interleaved pairs for the median of processor times: their resolution is low, and they are cheap. */
const manyTurns = 40;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Programs whose help is measured, and how to make or install them. */
const helps = {
  'conform.mjs': { files: [here('../dist/conform.mjs')], made: 'npm run bundle' },
  'Redocly CLI': { files: [here('./node_modules/@redocly/cli/bin/cli.js')], made: 'npm ci --prefix bench' },
  Schemathesis: {
    files: [here('./.venv/bin/python'), here('./.venv/bin/schemathesis')],
    made: 'bench/.venv/bin/pip install -r bench/requirements.txt',
  },
} as const;

/** Prints the cost of starting, and the time of a whole run of a profile. Needs the built program. */
export async function startup(print: (line: string) => void): Promise<void> {
  const program = builtProgram();
  const help = await compared(processTime([program, '--help']), processTime(['-e', '0']));
  print(`--help over node -e 0           ${inLine(help)}`);
  print(`  ${help.first.toFixed(0)} ms over ${help.second.toFixed(0)} ms`);
  for (const [name, file] of [
    ['main.js', program],
    ['conform.mjs', helps['conform.mjs'].files[0]],
  ] as const) {
    if (!existsSync(file)) continue;
    const work = await compared(processorTime([file, '--help']), processorTime(['-e', '0']), manyTurns);
    print(`  processor time of ${name.padEnd(14)}${inLine(work)}`);
    print(`  ${work.first.toFixed(0)} ms over ${work.second.toFixed(0)} ms`);
  }
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
