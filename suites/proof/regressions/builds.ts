import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderOf = (stack: string): string => fileURLToPath(new URL(`${stack}/`, import.meta.url));
const builds = fileURLToPath(new URL('../../../node_modules/.cache/regressions/', import.meta.url));

/** Runs Go. Nothing is fetched: neither modules, of which the server needs none, nor another Go. */
const go = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync('go', args, {
    cwd: folderOf('go'),
    env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
  });

/** Runs the compiler of Java. */
const javac = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync('javac', args, { cwd: folderOf('java'), encoding: 'utf8' });

/** Whether a Go is here that builds the server: 1.19 or later, which is Debian's of 2023. */
export const hasGo = (): boolean => Number(/ go1\.(\d+)/.exec(go('version').stdout ?? '')?.[1] ?? 0) >= 19;

/** Whether a JDK is here that builds the server: 17 or later, which is Debian's of 2023. */
export const hasJava = (): boolean => Number(/^javac (\d+)/.exec(javac('-version').stdout ?? '')?.[1] ?? 0) >= 17;

/** How a server is built of its sources. */
interface Build {
  readonly stack: string;
  /** The compiler says which it is. */
  readonly version: () => string;
  readonly isSource: (name: string) => boolean;
  /** Builds it of these sources, and leaves all that it makes at a path. */
  readonly compile: (to: string, sources: readonly string[]) => SpawnSyncReturns<string>;
}

/**
 * Where what a compiler makes of a server is, built unless the same compiler has built it from the same sources.
 *
 * @throws where it cannot be built
 */
function built({ stack, version, isSource, compile }: Build): string {
  const hash = createHash('sha256').update(version());
  const folder = folderOf(stack);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource).sort();
  for (const name of sources) hash.update(name).update(readFileSync(join(folder, name)));
  const program = join(builds, `${stack}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  mkdirSync(builds, { recursive: true });
  // Several processes may build at once, and none starts what another has half written.
  const building = mkdtempSync(join(builds, 'building-'));
  try {
    const made = join(building, 'server');
    const { status, stderr } = compile(made, sources);
    if (status !== 0) throw new Error(`the server in ${stack} cannot be built: ${stderr}`);
    renameInto(made, program);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return program;
}

/** Gives what was made its place, unless another process has built the same meanwhile: a folder is not replaced. */
function renameInto(made: string, program: string): void {
  try {
    renameSync(made, program);
  } catch (error) {
    if (!existsSync(program)) throw error;
  }
}

/** The program that Go makes of its server. */
export const builtByGo = (): string =>
  built({
    stack: 'go',
    version: () => go('version').stdout,
    isSource: name => /\.go$|^go\.mod$/.test(name),
    compile: to => go('build', '-buildvcs=false', '-trimpath', '-o', to, '.'),
  });

/** The folder of the classes that a JDK makes of its server. */
export const builtByJava = (): string =>
  built({
    stack: 'java',
    version: () => javac('-version').stdout,
    isSource: name => name.endsWith('.java'),
    compile: (to, sources) => javac('-d', to, ...sources),
  });
