import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Metafile, type OutputFile, transform } from 'esbuild';
import { precompiledFolder } from '../contracts/precompiled.ts';
import { bundledPage } from '../reference-server/page/bundle.ts';
import { pageFileNames } from '../reference-server/page/files.ts';
import { type Bundled, banner } from './bundled.ts';
import { precompiledFiles, shippedSchemas } from './precompiled.ts';

/** The file with the whole command line, which runs with Node alone. */
export const oneFileName = 'conform.mjs';

const begin = 'dist/cli/begin.js';

/** Returns the files of the bundle that `file` loads at once; with `later` also those that any command loads. */
export function loadedBy(
  outputs: Metafile['outputs'],
  file: string,
  later: boolean,
  known = new Set<string>(),
): ReadonlySet<string> {
  known.add(file);
  for (const { path, kind, external } of outputs[file]?.imports ?? [])
    if (external !== true && (later || kind === 'import-statement') && !known.has(path))
      loadedBy(outputs, path, later, known);
  return known;
}

/** Returns the files that the help of a command loads. */
export function loadedByHelp(outputs: Metafile['outputs']): ReadonlySet<string> {
  const [program = ''] = Object.entries(outputs).find(([, one]) => one.entryPoint === 'cli/program.ts') ?? [];
  return loadedBy(outputs, program, false, new Set(loadedBy(outputs, begin, false)));
}

/** Converts a chunk to a CommonJS module. Its `require` finds the other chunks, and `here` is its own URL. */
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

/** Returns the files that the build puts beside modules, by their place in `dist`. */
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
 * Returns the code that loads modules when required, as the chunks of the package are.
 *
 * Modules of the help are not packed, because unpacking takes longer than showing the help. The packed ones are in a
 * comment at the end of the file, which Node skips. A package that is not bundled is searched for beside this file,
 * then in the working directory.
 *
 * @param size of the comment, in bytes
 */
const loader = (size: number): string => `
const url = import.meta.url;
const node = name => process.getBuiltinModule(name);
const { createRequire } = node('node:module');
const { compileFunction } = node('node:vm');
let unpacked;
function textOf(name) {
  unpacked ??= node('node:zlib').brotliDecompressSync(
    Buffer.from(node('node:fs').readFileSync(new URL(url), 'latin1').slice(-${size + commentEnd.length}, -${commentEnd.length}), 'base64'),
  );
  return unpacked.toString('utf8', ...places[name]);
}
globalThis[Symbol.for('console-conformance.carried')] = {
  get: file => file.startsWith(url + '/') && Object.hasOwn(places, file.slice(url.length + 1)) ? () => textOf(file.slice(url.length + 1)) : undefined,
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
  const run = plain[path] ?? compileFunction(textOf(path), ['module', 'exports', 'require', 'here'], { filename: here });
  run(module, module.exports, from, here);
  return module.exports;
}
function outside(name) {
  const own = node(name);
  if (own !== undefined) return own;
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
/*`;

const commentEnd = '*/';

/** Escapes code to ASCII: Node takes twice the memory and time for a file with any other character. */
const inAscii = (code: string): string =>
  code.replace(/[\u0080-\uffff]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the text of the one file: a loader, and all modules that it may load. It is deterministic. */
export async function oneFile({ outputFiles, metafile: { outputs } }: Bundled): Promise<string> {
  const wanted = loadedBy(outputs, begin, true);
  const byHelp = loadedByHelp(outputs);
  const root = fileURLToPath(new URL('..', import.meta.url));
  const plain: string[] = [];
  const others = [...(await filesBeside())];
  for (const file of outputFiles) {
    const path = file.path.slice(root.length);
    if (!wanted.has(path)) continue;
    const name = `chunks/${posix.basename(path)}`;
    const code = await moduleOf(file);
    if (byHelp.has(path))
      plain.push(`${JSON.stringify(name)}:(function(module,exports,require,here){${inAscii(code)}})`);
    else others.push([name, code]);
  }
  const parts = others
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  let end = 0;
  const places = parts.map(({ name, bytes }) => {
    const at = end;
    end += bytes.length;
    return `${JSON.stringify(name)}:[${at},${end}]`;
  });
  const packed = brotliCompressSync(Buffer.concat(parts.map(({ bytes }) => bytes)), {
    // The best quality, 11, saves a tenth but takes ten times as long.
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  }).toString('base64');
  return `#!/usr/bin/env node
const plain = {
${plain.sort().join(',\n')}
};
const places = {
${places.join(',\n')}
};
${loader(packed.length)}${packed}${commentEnd}`;
}
