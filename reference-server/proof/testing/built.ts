import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { isAlive } from '../../store/folder-lock.ts';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/** A new folder inside the repository, where packages are found; those of processes that have ended are removed. */
function ownFolder(): string {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const [, pid] = /^built-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(cache, `built-${process.pid}-`));
}

const builds = new Map<string, Promise<string>>();

/**
 * How a program is bundled, of which dependencies are no part. No module stands where its source does any more: `urlOf`
 * gives, as an expression, the URL by which the module of a source file finds the files beside it.
 */
export const bundleOf = (program: string, urlOf: (source: string) => string) =>
  ({
    entryPoints: [program],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    plugins: [
      {
        name: 'sources',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
            loader: 'ts',
            contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', urlOf(path)),
          })),
      },
    ],
  }) as const satisfies BuildOptions;

/** Bundles a program; each of its modules still finds the files that stand beside its source. */
async function bundled(source: string): Promise<string> {
  const folder = ownFolder();
  await build({
    ...bundleOf(source, path => JSON.stringify(pathToFileURL(path).href)),
    entryNames: 'program',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  });
  return join(folder, 'program.mjs');
}

/**
 * The file of a program that is built from its source, once in each process of the tests: it starts in a fraction of
 * the time that a loader of TypeScript takes.
 */
export function builtProgram(source: string): Promise<string> {
  const known = builds.get(source) ?? bundled(source);
  builds.set(source, known);
  return known;
}
