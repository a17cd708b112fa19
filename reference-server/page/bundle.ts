import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageFiles } from './files.ts';

const source = (name: string): string => fileURLToPath(new URL(`./client/${name}`, import.meta.url));

/** Returns the license of Preact, which must accompany the bundled script. */
const license = async (): Promise<string> => {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('preact')));
  return `/*! Preact, which is a part of this file:\n${await readFile(`${folder}/LICENSE`, 'utf8')}*/`;
};

/**
 * Bundles the page from its sources. Builds ship the output without this module, because esbuild is a development
 * dependency.
 */
export const bundledPage = async (): Promise<PageFiles> => {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [source('app.tsx'), source('page.css')],
    outdir: 'page',
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return {
    document: await readFile(source('index.html'), 'utf8'),
    script: `${await license()}\n${text('.js')}`,
    style: text('.css'),
  };
};
