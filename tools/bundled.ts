import { readFile } from 'node:fs/promises';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { helpColumns } from '../cli/help-page.ts';
import { build as commandLine } from '../cli/program.ts';
import { packageFile } from './repository.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the source of an exported module, given the file of its declarations. */
export const sourceOf = (types: string): string => types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts');

/** The entry points, by their place in `dist` without extension: the exports of the package, and the command line. */
const exported = Object.values(packageFile.exports).flatMap(target =>
  typeof target === 'string' ? [] : [{ in: sourceOf(target.types), out: target.default.slice(7, -3) }],
);
export const entries = [{ in: 'cli/main.ts', out: 'cli/main' }, { in: 'cli/begin.ts', out: 'cli/begin' }, ...exported];

/** The packages that users install separately if needed. All others are bundled. */
export const beside = ['pg', 'vitest'];

/** Returns code for a module's URL in the bundle: files beside the module are located from there. */
const besideModule = (source: string): string => {
  const module = source.slice(root.length).replaceAll(sep, '/').replace(/\.ts$/, '.js');
  return `new URL('${posix.join('..', module)}', import.meta.url).href`;
};

/** The used part of undici: with its `fetch`, caches and sockets for browsers it would be half of the bundle. */
const undici = `export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as buildConnector } from 'undici/lib/core/connect.js';`;

const mediaTypesFile = `${root}node_modules/mime-db/index.js`;
const mediaTypes = Object.fromEntries(
  Object.entries(JSON.parse(await readFile(mediaTypesFile.replace(/index\.js$/, 'db.json'), 'utf8'))).filter(([type]) =>
    /^(application\/(json|octet-stream)|text\/(css|html|javascript|plain))$/.test(type),
  ),
);

/** Returns the help of the whole program at its maximum width. */
function helpPage(): string {
  const program = commandLine(() => {}, ['--help']);
  let page = '';
  program.configureOutput({
    getOutHelpWidth: () => helpColumns,
    writeOut: text => {
      page += text;
    },
  });
  program.outputHelp();
  return page;
}

const sources: Plugin = {
  name: 'sources',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'part' }));
    onLoad({ filter: /./, namespace: 'part' }, () => ({ contents: undici, resolveDir: root }));
    // Commander imports it in case a command is another program. None is, and it would load a good part of Node.
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.replaceAll(sep, '/').includes('/commander/') ? { path, namespace: 'never asked' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'never asked' }, () => ({ contents: '' }));
    // The server looks up only its own types, by short names; the table of thousands would be half of its code.
    onResolve({ filter: /^mime-db$/ }, () => ({ path: mediaTypesFile }));
    onLoad({ filter: /mime-db[\\/]index\.js$/ }, () => ({ loader: 'json', contents: JSON.stringify(mediaTypes) }));
    onLoad({ filter: /cli[\\/]help-page\.ts$/ }, () => ({
      contents: `export const helpColumns = ${helpColumns}; export const helpPage = ${JSON.stringify(helpPage())};`,
    }));
    // Modules that are required by name are bundled, and loaded when asked for.
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replace('const require = createRequire(import.meta.url);', '')
        .replaceAll('import.meta.url', besideModule(path)),
    }));
    // Names in third-party packages help nobody, so minify them. To Node jsonc-parser is CommonJS, all in its default
    // export.
    const whole = (path: string) =>
      /jsonc-parser.*main\.js$/.test(path) ? "import * as all from './main.js'; export default all;" : '';
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await transform((await readFile(path, 'utf8')) + whole(path), { minify: true, legalComments: 'none' }))
        .code,
    }));
    onLoad({ filter: /node_modules.*[\\/]package\.json$/ }, async ({ path }) => {
      const { name, version } = JSON.parse(await readFile(path, 'utf8'));
      return { loader: 'json', contents: JSON.stringify({ name, version }) };
    });
  },
};

/** The first line of each file in the bundle, for packages that `require` modules of Node. */
export const banner =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);";

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'error',
  write: false,
} as const satisfies BuildOptions;

/**
 * Bundles the package with all dependencies except its optional peers, in chunks that a command loads when it begins:
 * hundreds of modules take longer to load. Names stay as in the sources, so that a stack trace locates a fault of the
 * suite.
 */
export const bundledPackage = () =>
  build({
    ...shared,
    entryPoints: entries,
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // The build has already written the page, so the code that bundles it from its sources is not shipped.
    external: [...beside, '*/bundle.ts'],
    banner: { js: banner },
    plugins: [sources],
    metafile: true,
  });

export type Bundled = Awaited<ReturnType<typeof bundledPackage>>;

/** Bundles a CommonJS module with its dependencies, into one that requires nothing. */
export async function bundledModule(text: string): Promise<string> {
  const { outputFiles } = await build({
    ...shared,
    stdin: { contents: text, resolveDir: root },
    format: 'cjs',
    minify: true,
  });
  return outputFiles[0]?.text ?? '';
}
