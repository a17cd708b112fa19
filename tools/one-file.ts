import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type Metafile, type OutputFile, transform } from 'esbuild';
import { precompiledFolder } from '../contracts/precompiled.ts';
import { bundledPage } from '../reference-server/page/bundle.ts';
import { pageFileNames } from '../reference-server/page/files.ts';
import { type Bundled, banner } from './bundled.ts';
import { precompiledFiles, shippedSchemas } from './precompiled.ts';

/** The file that holds the whole command line, and runs with Node alone. */
export const oneFileName = 'conform.mjs';

const begin = 'dist/cli/begin.js';

/** The files of the bundle that the command line can come to load. */
function reachable(outputs: Metafile['outputs'], file = begin, known = new Set<string>()): ReadonlySet<string> {
  known.add(file);
  for (const { path, external } of outputs[file]?.imports ?? [])
    if (external !== true && !known.has(path)) reachable(outputs, path, known);
  return known;
}

/** A chunk as a CommonJS module, whose `require` knows the other ones, and which finds itself by `here`. */
async function moduleOf({ text }: OutputFile): Promise<string> {
  const { code } = await transform(text.replace(banner, ''), {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'import.meta.url': 'here' },
    supported: { 'dynamic-import': false },
  });
  return code;
}

/** The files that the build puts beside modules, by their place in `dist`. */
async function filesBeside(): Promise<readonly (readonly [path: string, text: string])[]> {
  const page = await bundledPage();
  const names = Object.entries(pageFileNames) as [keyof typeof page, string][];
  return [
    ...(await precompiledFiles(shippedSchemas)).map(
      ({ name, text }) => [posix.join('contracts', precompiledFolder, name), text] as const,
    ),
    ...names.map(([part, name]) => [`reference-server/page/${name}`, page[part]] as const),
  ];
}

/**
 * The code that loads what is packed: modules when they are required, as the chunks of the package are, so that the help
 * unpacks a twentieth of it. A package that is not inside is looked for beside this file, then where the command runs.
 */
const loader = `
const url = import.meta.url;
const textOf = name => inflateRawSync(Buffer.from(packed[name], 'base64')).toString();
globalThis[Symbol.for('console-conformance.carried')] = {
  get: file => file.startsWith(url + '/') && Object.hasOwn(packed, file.slice(url.length + 1)) ? () => textOf(file.slice(url.length + 1)) : undefined,
};
const beside = createRequire(url);
const loaded = new Map();
function from(name) {
  if (!/^\\.\\.?\\//.test(name)) return outside(name);
  const path = 'chunks/' + name.slice(name.lastIndexOf('/') + 1);
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(path, module);
  const here = url + '/' + path;
  compileFunction(textOf(path), ['module', 'exports', 'require', 'here'], { filename: here })(module, module.exports, from, here);
  return module.exports;
}
function outside(name) {
  try {
    return beside(name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || !error.message.includes("'" + name + "'")) throw error;
    return createRequire(process.cwd() + '/')(name);
  }
}
try {
  await from('./begin.js').begin();
} catch (error) {
  // 1 would mean that a target does not conform.
  process.stderr.write('conform: a fault of the suite itself: ' + error.stack + '\\n');
  process.exit(4);
}
`;

/** The text of the one file: a loader, and all modules that it may load, each packed by itself. Always the same. */
export async function oneFile({ outputFiles, metafile }: Bundled): Promise<string> {
  const wanted = reachable(metafile.outputs);
  const root = fileURLToPath(new URL('..', import.meta.url));
  const chunks = outputFiles.filter(({ path }) => wanted.has(path.slice(root.length)));
  const files = [
    ...(await Promise.all(
      chunks.map(async file => [`chunks/${posix.basename(file.path)}`, await moduleOf(file)] as const),
    )),
    ...(await filesBeside()),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const packed = files.map(
    ([path, text]) => `${JSON.stringify(path)}:'${deflateRawSync(text, { level: 9 }).toString('base64')}'`,
  );
  return `#!/usr/bin/env node
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { inflateRawSync } from 'node:zlib';
const packed = {
${packed.join(',\n')}
};
${loader}`;
}
