import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tool } from '../contracts/report/tool.ts';
import { files, packageFile, textOf } from './repository.ts';

/** What of the lock file is looked at. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly link?: boolean; readonly integrity?: string }>>;
}

const named = `${tool.name}@${tool.version}`;
const examples = files.filter(path => path === 'action.yml' || path.startsWith('examples/'));

test('the lock file holds no package, optional ones among them, without its integrity', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as Lock;
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity)).map(([path]) => path)).toEqual([]);
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

test('what examples run is this package in this version, or a command of the project around them', () => {
  const runs = examples.flatMap(path =>
    [...textOf(path).matchAll(/\bnpx ((?:--?\S+ )*(?:\.npm )?)([^\s`]+)/g)].map(([, , what]) => what),
  );
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.filter(what => what?.replace(/[}"';]+$/, '') !== named)).toEqual([]);
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
  // The owner of this repository and the commit are for the reader to fill in.
  expect(uses.filter(what => !/@[0-9a-f]{40}$/.test(what) && what !== `OWNER/${tool.name}@COMMIT`)).toEqual([]);
});
