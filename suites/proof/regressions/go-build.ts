import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('go/', import.meta.url));
const builds = fileURLToPath(new URL('../../../node_modules/.cache/regressions/', import.meta.url));

/** Runs Go. Nothing is fetched: neither modules, of which the server needs none, nor another Go. */
const go = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync('go', args, {
    cwd: sources,
    env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
  });

/** Whether a Go is here that builds the server: 1.19 or later, which is Debian's of 2023. */
export const hasGo = (): boolean => Number(/ go1\.(\d+)/.exec(go('version').stdout ?? '')?.[1] ?? 0) >= 19;

/**
 * The program that Go makes of the server, built unless the same Go has built it from the same sources.
 *
 * @throws where it cannot be built
 */
export function builtByGo(): string {
  const hash = createHash('sha256').update(go('version').stdout);
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter(one => /\.go$|^go\.mod$/.test(one)).sort())
    hash.update(name).update(readFileSync(join(sources, name)));
  const program = join(builds, `go-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  mkdirSync(builds, { recursive: true });
  // Several processes may build at once, and none starts what another has half written.
  const folder = mkdtempSync(join(builds, 'building-'));
  try {
    const built = join(folder, 'server');
    const { status, stderr } = go('build', '-buildvcs=false', '-trimpath', '-o', built, '.');
    if (status !== 0) throw new Error(`go build: ${stderr}`);
    renameSync(built, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return program;
}
