import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const builds = new Map<string, Promise<string>>();

/** Bundles a program; each of its modules still finds the files that stand beside its source. */
async function bundled(source: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that packages are found.
  const folder = mkdtempSync(join(cache, 'built-'));
  folders.add(folder);
  await build({
    entryPoints: { program: source },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
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
            contents: (await readFile(path, 'utf8')).replaceAll(
              'import.meta.url',
              JSON.stringify(pathToFileURL(path).href),
            ),
          })),
      },
    ],
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
