import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { type Bundled, banner, entries } from './bundled.ts';
import { loadedBy, loadedByHelp } from './one-file.ts';

/** A file of the package: its path and its text. */
export interface PackageFile {
  readonly path: string;
  readonly text: string;
}

type Outputs = Metafile['outputs'];

const main = 'dist/cli/main.js';

/** Returns the chunks whose exported names do not clash, so that one file can export all of them. */
function joinable(chunks: readonly string[], outputs: Outputs): readonly string[] {
  const taken = new Set<string>();
  return chunks.filter(chunk => {
    const names = outputs[chunk]?.exports ?? [];
    const isFree = names.every(name => !taken.has(name));
    if (isFree) for (const name of names) taken.add(name);
    return isFree;
  });
}

/** Joins several chunks into one module; imports of other chunks remain. */
async function oneOf(chunks: readonly string[], texts: ReadonlyMap<string, string>): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: chunks.map(chunk => `export * from './${posix.basename(chunk)}';`).join('\n') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
    plugins: [
      {
        name: 'chunks',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /./ }, ({ path }) => {
            const chunk = `dist/chunks/${posix.basename(path)}`;
            return chunks.includes(chunk) ? { path: chunk, namespace: 'chunk' } : { path, external: true };
          });
          onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({ contents: texts.get(path) ?? '' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Removes imports for side effects of modules that the text already imports. */
const withoutRepeats = (text: string): string => {
  const loaded = new Set<string>();
  return text.replace(/import\b(?:\{[^}]*\}from)?"([^"]+)";/g, (all: string, path: string) => {
    const isAgain = loaded.has(path) && all.startsWith('import"');
    loaded.add(path);
    return isAgain ? '' : all;
  });
};

/**
 * Returns the files of the bundled package as shipped. The chunks that the help loads become two files, because opening
 * twenty takes longer than showing it. One of the two holds the chunks that the package's exports load too.
 */
export async function joined({ outputFiles, metafile: { outputs } }: Bundled): Promise<readonly PackageFile[]> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const texts = new Map(
    outputFiles.map(({ path, text }) => [path.slice(root.length).replaceAll('\\', '/'), text.replace(banner, '')]),
  );
  const libraries = new Set(entries.slice(2).flatMap(({ out }) => [...loadedBy(outputs, `dist/${out}.js`, true)]));
  const ofHelp = [...loadedBy(outputs, main, false, new Set(loadedByHelp(outputs)))].filter(path =>
    path.startsWith('dist/chunks/'),
  );
  for (const [name, chunks] of Object.entries({
    'common.js': joinable(
      ofHelp.filter(path => libraries.has(path)),
      outputs,
    ),
    'start.js': joinable(
      ofHelp.filter(path => !libraries.has(path)),
      outputs,
    ),
  })) {
    const text = await oneOf(chunks, texts);
    for (const chunk of chunks) texts.delete(chunk);
    texts.set(`dist/chunks/${name}`, text);
    const isJoined = new Set(chunks.map(chunk => posix.basename(chunk)));
    for (const [path, one] of texts)
      texts.set(
        path,
        one.replace(/(?<=")(\.{1,2}\/(?:chunks\/)?)([\w-]+\.js)(?=")/g, (all, folder: string, file: string) =>
          isJoined.has(file) ? `${folder}${name}` : all,
        ),
      );
  }
  return [...texts].map(([path, written]) => {
    const text = withoutRepeats(written);
    const first = /^#!.*\n/.exec(text)?.[0] ?? '';
    const rest = text.slice(first.length);
    return { path: `${root}${path}`, text: `${first}${/\brequire\b/.test(rest) ? banner : ''}${rest}` };
  });
}
