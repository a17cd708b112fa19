import { describe, expect, test } from 'vitest';
import { bundledProgram } from './bundled.ts';
import { packageFile } from './repository.ts';

const { metafile, outputFiles } = await bundledProgram();
const main = 'dist/cli/main.js';

/** What it loads once the end of the process is looked after: all that is left, but for the commands. */
const program = Object.entries(metafile.outputs).find(([, one]) => one.entryPoint === 'cli/program.ts')?.[0] ?? '';

/** What a file of the bundle loads before a command is chosen: files of the bundle, and other modules. */
function loadedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  known.add(file);
  for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
    if (kind === 'import-statement' && !known.has(path)) loadedBy(path, known);
  return known;
}

describe('the bundled command line', () => {
  test('needs commander alone to show its help, and a small part of its own code', () => {
    expect([...loadedBy(main)].filter(path => metafile.outputs[path] === undefined)).toEqual([]);
    const loaded = [...loadedBy(program, new Set(loadedBy(main)))];
    expect(loaded.filter(path => metafile.outputs[path] === undefined)).toEqual(['@commander-js/extra-typings']);
    const size = (paths: readonly string[]) =>
      paths.reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);
    expect(size(loaded)).toBeLessThan(size(Object.keys(metafile.outputs)) / 20);
  });

  test('can be executed by its name', () => {
    expect(Object.values(packageFile.bin).map(path => loadedBy(path).size > 1)).toEqual([true, true]);
    expect(outputFiles.find(({ path }) => path.endsWith(main))?.text).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('stands in one folder, where each module finds the files beside it as the compiler wrote it', () => {
    expect(Object.keys(metafile.outputs).filter(path => !/^dist\/cli\/[^/]+\.js$/.test(path))).toEqual([]);
    const urls = outputFiles.flatMap(({ text }) => [...text.matchAll(/(new URL\("([^"]+)",)?import\.meta\.url/g)]);
    expect(urls.map(([, , path]) => path)).toContain('../contracts/precompiled.js');
    expect(urls.filter(([, , path]) => path?.startsWith('../') !== true)).toEqual([]);
  });
});
