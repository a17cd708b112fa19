import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOf } from '../reference-server/proof/testing/built.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder of the bundled command line; all its files stand in it, side by side. */
export const programFolder = 'dist/cli';

/** The URL of a module as the compiler writes it: the build puts the files that it reads beside that one. */
const besideModule = (source: string): string => {
  const module = posix.join('dist', source.slice(root.length).replaceAll(sep, '/').replace(/\.ts$/, '.js'));
  return `new URL('${posix.relative(programFolder, module)}', import.meta.url).href`;
};

/**
 * Bundles the command line, which starts faster than its hundreds of modules do: a chunk for what each command loads.
 * Names stay as they are in the sources, because a stack trace is to tell where a fault of the suite is.
 */
export const bundledProgram = () =>
  build({
    ...bundleOf(`${root}cli/main.ts`, besideModule),
    absWorkingDir: root,
    outdir: programFolder,
    target: 'node20.19',
    // What bundles the page from its sources is not shipped, for the build has written the page.
    external: ['*/bundle.ts'],
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    write: false,
  });
