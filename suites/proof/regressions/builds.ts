import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderOf = (stack: string): string => fileURLToPath(new URL(`${stack}/`, import.meta.url));
const builds = fileURLToPath(new URL('../../../node_modules/.cache/regressions/', import.meta.url));

/** Runs Go without downloads: the server needs no modules, and no other Go is fetched. */
const go = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync('go', args, {
    cwd: folderOf('go'),
    env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
  });

/** Runs the compiler of Java. */
const javac = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync('javac', args, { cwd: folderOf('java'), encoding: 'utf8' });

/** True if a Go that builds the server is installed: 1.19 or later, as in Debian of 2023. */
export const hasGo = (): boolean => Number(/ go1\.(\d+)/.exec(go('version').stdout ?? '')?.[1] ?? 0) >= 19;

/** True if a JDK that builds the server is installed: 17 or later, as in Debian of 2023. */
export const hasJava = (): boolean => Number(/^javac (\d+)/.exec(javac('-version').stdout ?? '')?.[1] ?? 0) >= 17;

/** How a server is built from its sources. */
interface Build {
  readonly stack: string;
  /** Returns the version that the compiler reports. */
  readonly version: () => string;
  readonly isSource: (name: string) => boolean;
  /** Builds these sources into a path. */
  readonly compile: (to: string, sources: readonly string[]) => SpawnSyncReturns<string>;
}

/**
 * Returns the path of the built server. Builds it unless the same compiler already built the same sources.
 *
 * @throws if the build fails
 */
function built({ stack, version, isSource, compile }: Build): string {
  const hash = createHash('sha256').update(version());
  const folder = folderOf(stack);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource).sort();
  for (const name of sources) hash.update(name).update(readFileSync(join(folder, name)));
  const program = join(builds, `${stack}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  mkdirSync(builds, { recursive: true });
  // Build into a temporary folder, because a concurrent process must not start a half-written program.
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

/** Moves the build into place, unless a concurrent process has done so. A folder is not replaced. */
function renameInto(made: string, program: string): void {
  try {
    renameSync(made, program);
  } catch (error) {
    if (!existsSync(program)) throw error;
  }
}

/** Returns the program that Go builds. */
export const builtByGo = (): string =>
  built({
    stack: 'go',
    version: () => go('version').stdout,
    isSource: name => /\.go$|^go\.mod$/.test(name),
    compile: to => go('build', '-buildvcs=false', '-trimpath', '-o', to, '.'),
  });

/** Returns the folder of the classes that the JDK builds. */
export const builtByJava = (): string =>
  built({
    stack: 'java',
    version: () => javac('-version').stdout,
    isSource: name => name.endsWith('.java'),
    compile: (to, sources) => javac('-d', to, ...sources),
  });
