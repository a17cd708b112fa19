import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type TargetFile, targetFileSchema } from '../../../contracts/target.ts';
import { isValid } from '../../../contracts/validation.ts';
import { mutated, type Mutant as SourceMutant } from '../../../tools/mutate/places.ts';
import type { Change, ServerName } from './changes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}node_modules/.cache/prove/mutants`;

/** How often a server differed; for a sound one, the numbers of the mutants of answers that would differ. */
export interface Differed {
  readonly differed: number;
  readonly differing: readonly number[];
}

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly apiKey: string;
  readonly targetFile: TargetFile;
  /** Returns how often it differed from a sound one; undefined if it does not report this. */
  differed(): Promise<Differed | undefined>;
  /** Kills the process. */
  kill(): void;
}

/** Bundles the server into one file, with one of its sources changed. */
async function bundled(outfile: string, mutant: SourceMutant | undefined): Promise<void> {
  await build({
    entryPoints: [`${root}suites/proof/mutants/served.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutant',
        setup({ onLoad }) {
          if (mutant === undefined) return;
          const path = `${root}${mutant.file}`;
          onLoad({ filter: /\.ts$/ }, ({ path: loaded }) =>
            loaded === path ? { contents: mutated(readFileSync(path, 'utf8'), mutant), loader: 'ts' } : undefined,
          );
        },
      },
    ],
  });
}

/** Returns the next message of a process; undefined if it ends or sends nothing within `milliseconds`. */
const heard = (child: ChildProcess, milliseconds: number): Promise<unknown> =>
  new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    const end = (message?: unknown): void => {
      clearTimeout(timer);
      resolve(message);
    };
    child.once('message', end);
    child.once('exit', () => end());
  });

/** Starts a server with a change; undefined if it does not start. */
export async function startChanged(server: ServerName, change?: Change): Promise<ServerProcess | undefined> {
  mkdirSync(folder, { recursive: true });
  const source = change?.kind === 'source' ? change.mutant : undefined;
  const name = createHash('sha256')
    .update(JSON.stringify([server, source ?? null, process.pid]))
    .digest('hex')
    .slice(0, 16);
  const file = `${folder}/${name}.mjs`;
  try {
    await bundled(file, source);
  } catch {
    return undefined;
  }
  const told = source === undefined ? { change, isWatched: change === undefined } : {};
  const question = JSON.stringify({ server, ...told });
  const child = fork(file, [question], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
  const up = (await heard(child, 60_000)) as Pick<ServerProcess, 'url' | 'apiKey' | 'targetFile'> | undefined;
  rmSync(file, { force: true });
  // A mutant may break the target file that the server names its own entities in.
  if (up === undefined || !isValid(targetFileSchema, up.targetFile)) {
    child.kill('SIGKILL');
    return undefined;
  }
  return {
    ...up,
    async differed() {
      if (!child.connected) return undefined;
      const next = heard(child, 5000);
      child.send('end');
      return (await next) as Differed | undefined;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
