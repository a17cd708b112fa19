import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { packageHomes } from './boundaries.ts';
import { beside, bundledPackage, entries } from './bundled.ts';
import { billOfMaterials, inside, licences } from './contents.ts';
import { joined } from './joined.ts';
import { oneFile, oneFileName } from './one-file.ts';
import { packageFile, root } from './repository.ts';

const bundled = await bundledPackage();
const { metafile, outputFiles } = bundled;
const main = 'dist/cli/main.js';

/** Reads the modules of a build from memory. */
const inMemory = (texts: ReadonlyMap<string, string>): Plugin => ({
  name: 'in memory',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.|^dist/ }, ({ path, importer }) => {
      const file = importer === '' ? path : join(dirname(importer), path);
      return texts.has(file) ? { path: file, namespace: 'texts' } : {};
    });
    onLoad({ filter: /./, namespace: 'texts' }, ({ path }) => ({ contents: texts.get(path) ?? '' }));
  },
});

const chunkOf = (source: string): string =>
  Object.entries(metafile.outputs).find(([, one]) => one.entryPoint === source)?.[0] ?? '';

/** Returns all that a file of the bundle loads before a command is chosen: files of the bundle, and other modules. */
function loadedBy(file: string, known = new Set<string>()): ReadonlySet<string> {
  known.add(file);
  for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
    if (kind === 'import-statement' && !known.has(path)) loadedBy(path, known);
  return known;
}

const isOurs = (path: string): boolean => metafile.outputs[path] !== undefined;
const size = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);
const packagesIn = (paths: readonly string[]) =>
  new Set(
    paths
      .flatMap(path => Object.keys(metafile.outputs[path]?.inputs ?? {}))
      .flatMap(path => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );

describe('the bundled package', () => {
  const begun = new Set([...loadedBy(main), ...loadedBy(chunkOf('cli/begin.ts'))]);

  test('shows its help without any package, and with a fiftieth of its own code', () => {
    expect([...packagesIn([...begun].filter(isOurs))]).toEqual([]);
    expect(size(begun)).toBeLessThan(size(Object.keys(metafile.outputs)) / 50);
  });

  test('needs commander alone to show the help of a command, and a small part of its own code', () => {
    const loaded = [...loadedBy(chunkOf('cli/program.ts'), new Set(begun))];
    expect(loaded.filter(path => !isOurs(path) && !path.startsWith('node:') && !path.startsWith('fs'))).toEqual([]);
    expect([...packagesIn(loaded.filter(isOurs))].sort()).toEqual(['@commander-js/extra-typings', 'commander']);
    expect(size(loaded)).toBeLessThan(size(Object.keys(metafile.outputs)) / 20);
  });

  test('needs nothing beside it but what a store or a test asks for', () => {
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external, path }) => external === true && !path.startsWith('node:')).map(({ path }) => path),
    );
    const { builtinModules } = process.getBuiltinModule('node:module');
    const named = [...new Set(outside)].filter(path => !builtinModules.includes(path));
    expect(named.filter(path => !beside.some(name => path === name || path.startsWith(`${name}/`)))).toEqual([
      './bundle.ts',
    ]);
    expect(packageFile).not.toHaveProperty('dependencies');
    expect(Object.keys(packageFile.peerDependencies)).toEqual(expect.arrayContaining(beside));
    expect(Object.keys(packageFile.peerDependenciesMeta)).toEqual(Object.keys(packageFile.peerDependencies));
  });

  test('has a file for all that the package exports, and can be executed by its name', () => {
    const written = Object.keys(metafile.outputs);
    expect(entries.map(({ out }) => `dist/${out}.js`).filter(path => !written.includes(path))).toEqual([]);
    expect(Object.values(packageFile.bin)).toEqual([main, main]);
    expect(outputFiles.find(({ path }) => path.endsWith(main))?.text).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('stands in folders of one depth, where each module finds the files beside it as the compiler wrote it', () => {
    expect(Object.keys(metafile.outputs).filter(path => !/^dist\/[^/]+\/[^/]+\.js$/.test(path))).toEqual([]);
    const urls = outputFiles.flatMap(({ text }) => [...text.matchAll(/new URL\("([^"]+)",import\.meta\.url/g)]);
    expect(urls.map(([, path]) => path)).toContain('../contracts/precompiled.js');
    expect(urls.filter(([, path]) => path?.startsWith('../') !== true)).toEqual([]);
  });
});

describe('the files that are shipped', async () => {
  const texts = new Map((await joined(bundled)).map(({ path, text }) => [relative(root, path), text]));
  const importedBy = (path: string, pattern: RegExp): string[] =>
    [...(texts.get(path) ?? '').matchAll(pattern)].map(([, to = '']) => join(dirname(path), to));
  const atOnce = /(?:^|[;\n])(?:im|ex)port[^"();]*"(\.[^"]+)"/g;

  test('import what is there, and what they name of it', async () => {
    const { errors } = await build({
      entryPoints: entries.map(({ out }) => `dist/${out}.js`),
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      outdir: 'out',
      logLevel: 'silent',
      external: [...beside, './bundle.ts'],
      plugins: [inMemory(texts)],
    });
    expect(errors).toEqual([]);
  });

  test('are three for any help', () => {
    const loaded = new Set([main]);
    for (const path of loaded) for (const to of importedBy(path, atOnce)) loaded.add(to);
    const program = importedBy('dist/chunks/start.js', /import\("(\.[^"]+)"\)/g).filter(path => /program/.test(path));
    expect([...loaded, ...program].sort()).toEqual(['dist/chunks/common.js', 'dist/chunks/start.js', main]);
  });

  test('load the command line for no library', () => {
    for (const { out } of entries.slice(2)) {
      const loaded = new Set([`dist/${out}.js`]);
      for (const path of loaded) for (const to of importedBy(path, atOnce)) loaded.add(to);
      expect([...loaded], out).not.toContain('dist/chunks/start.js');
    }
  });
});

describe('what tells of all that is inside', () => {
  const packages = inside(metafile);

  test('names every package with its licence and its hash', () => {
    const names = packages.map(({ name }) => name);
    const shipped = Object.keys(packageHomes).filter(name => !beside.includes(name));
    expect(names).toEqual(expect.arrayContaining(shipped));
    for (const { name, license, text, hash } of packages) {
      expect([name, license]).toEqual([
        name,
        expect.stringMatching(/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|Unlicense|0BSD)$/),
      ]);
      expect(text.length, name).toBeGreaterThan(20);
      expect(hash, name).toMatch(/^[0-9a-f]{128}$/);
      expect(licences(packages)).toContain(text);
    }
  });

  test('is a bill of materials in which every part is named once, and every reference leads to one', () => {
    const bill = JSON.parse(billOfMaterials(packages));
    const refs = bill.components.map((part: { 'bom-ref': string }) => part['bom-ref']);
    expect(new Set(refs).size).toBe(packages.length);
    expect(bill.dependencies[0].dependsOn).toEqual(refs);
    expect(bill.metadata.component.purl).toBe(`pkg:npm/console-conformance@${packageFile.version}`);
  });
});

describe('the program as one file', async () => {
  const text = await oneFile(bundled);
  const code = text.slice(0, text.lastIndexOf('\n/*'));
  const folder = mkdtempSync(join(tmpdir(), 'conform-one-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, oneFileName), text);
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [oneFileName, ...argv], { cwd: folder, env: {}, encoding: 'utf8' });

  test('has four megabytes at most, and is the same each time', async () => {
    expect(text.length).toBeLessThan(4_000_000);
    expect(await oneFile(await bundledPackage())).toBe(text);
  });

  test('is ASCII alone, and has what only commands load behind its code, so that the help reads a tenth of it', () => {
    expect(code).not.toMatch(/[^\n\x20-\x7e\t]/);
    expect(code.length).toBeLessThan(text.length / 8);
  });

  test('shows its help without what starts other programs', () => {
    const shown = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `process.argv.push('conform', '--help'); await import('./${oneFileName}'); process.stderr.write(process.moduleLoadList.join());`,
      ],
      { cwd: folder, env: {}, encoding: 'utf8' },
    );
    expect(shown.stdout).toContain('Usage: conform');
    expect(shown.stderr).toContain('NativeModule');
    expect(shown.stderr).not.toContain('child_process');
  });

  test('has prepared the help that commander makes of it where there is no terminal', () => {
    const prepared = run('--help').stdout;
    expect(prepared).toContain('Usage: conform');
    expect(run('-h').stdout).toBe(prepared);
    expect(run('help').stdout).toBe(prepared);
    writeFileSync(join(folder, 'prepared.mjs'), text.replace('"chunks/program-', '"chunks/gone-'));
    const without = (flag: string) =>
      spawnSync(process.execPath, ['prepared.mjs', flag], { cwd: folder, encoding: 'utf8' });
    expect([without('--help').stdout, without('-h').stdout, without('-h').status]).toEqual([prepared, '', 4]);
  });

  test('runs with Node alone, from an empty folder and without a home', () => {
    const { status, stdout, stderr } = run('run', '--profile', 'quick', '--reporter', 'terminal', '--reporter', 'html');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('CONFORMANT');
    expect(run('report', 'conform-report/journal.ndjson').stdout).toContain('CONFORMANT');
    expect(run('--version').stdout).toBe(`${packageFile.version}\n`);
  });

  test('tells what to install for a store in PostgreSQL', () => {
    const { status, stderr } = run('serve', '--port', '0', '--store', 'postgres://localhost/x');
    expect([status, stderr]).toEqual([2, 'conform: a store in PostgreSQL needs the package pg: npm install pg\n']);
  });

  test('ends with the code for a fault of the suite where its own parts are broken', () => {
    writeFileSync(join(folder, 'broken.mjs'), `${code}${text.slice(code.length).replaceAll('a', 'b')}`);
    const { status } = spawnSync(process.execPath, ['broken.mjs', 'run'], { cwd: folder });
    expect(status).toBe(4);
  });
});
