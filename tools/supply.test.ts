import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tool } from '../contracts/report/tool.ts';
import { files, packageFile, textOf } from './repository.ts';

/** The parts of the lock file that are checked. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly link?: boolean; readonly integrity?: string; readonly resolved?: string }>
  >;
}

const examples = files.filter(path => path === 'action.yml' || path.startsWith('examples/'));

test('the lock file holds no package, optional ones among them, without its integrity', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as Lock;
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity)).map(([path]) => path)).toEqual([]);
});

test('the lock file names no host of a registry: each developer takes packages from the one that is set up', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as Lock;
  expect(
    Object.entries(packages).flatMap(([path, { resolved = '' }]) => (resolved.includes('//') ? [path] : [])),
  ).toEqual([]);
  expect(textOf('.npmrc')).toBe('omit-lockfile-registry-resolved=true\n');
});

test('the package is published with its provenance', () => {
  expect(packageFile.publishConfig).toEqual({ access: 'public', provenance: true });
});

test('an installation that leaves out what builds the package goes through, and says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conform-prepare-'));
  const { status, stdout } = spawnSync('sh', ['-c', packageFile.scripts.prepare ?? ''], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stdout]).toEqual([0, 'Not built: what builds it was left out.\n']);
});

test('no example fetches a package to run it: the bundle is pinned by its digest, an image too', () => {
  const texts = examples.map(path => ({ path, text: textOf(path) }));
  const runs = texts.flatMap(({ text }) => [...text.matchAll(/\bnpx ((?:-\S+ )*)([^\s`"']+)/g)]);
  expect(runs.filter(([, flags]) => /--yes|-y\b/.test(flags ?? ''))).toEqual([]);
  // `conform` is the command installed in the surrounding project.
  const commands = runs.map(([, , what = '']) => what.replace(/[};]+$/, ''));
  expect(commands.filter(what => what !== 'conform' && what !== `${tool.name}@${tool.version}`)).toEqual([]);
  const bundled = texts.filter(({ path, text }) => /conform\.mjs/.test(text) && !/\.(go|py|java|rs)$/.test(path));
  expect(bundled.length).toBeGreaterThan(3);
  expect(bundled.filter(({ text }) => !/SHA256/.test(text)).map(({ path }) => path)).toEqual([]);
  const images = texts.flatMap(({ text }) => [...text.matchAll(/^\s*image: (\S+)/gm)].map(([, image]) => image ?? ''));
  expect(images.length).toBeGreaterThan(3);
  expect(images.filter(image => !/@sha256:(DIGEST|[0-9a-f]{64})$/.test(image))).toEqual([]);
});

test('no page and no example names another version of this package', () => {
  const versions = files
    .filter(path => /\.(md|ya?ml|sh|ts)$|^examples\//.test(path) && path !== 'CHANGELOG.md')
    .flatMap(path =>
      [...readFileSync(path, 'utf8').matchAll(/console-conformance(?:@|": ")(\d[\w.-]*)/g)].map(
        ([, version]) => version,
      ),
    );
  expect(new Set(versions)).toEqual(new Set([tool.version]));
});

test('actions are named by their commits', () => {
  const uses = examples
    .filter(path => /\.ya?ml$/.test(path))
    .flatMap(path => [...textOf(path).matchAll(/\buses: (\S+)/g)].map(([, what]) => what ?? ''));
  expect(uses.length).toBeGreaterThan(5);
  // The reader has to fill in the owner of this repository and the commit.
  expect(uses.filter(what => !/@[0-9a-f]{40}$/.test(what) && what !== `OWNER/${tool.name}@COMMIT`)).toEqual([]);
});
