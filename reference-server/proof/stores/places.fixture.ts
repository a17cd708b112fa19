import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe } from 'vitest';
import { quickFolder } from '../testing/quick-folder.ts';
import { type Cluster, noPostgres, startCluster } from './postgres.fixture.ts';

/** Where the stores of tests are kept, and how to make an empty one. */
export interface Place {
  readonly title: string;
  /** Why it is not to be had on this machine; undefined where it is. */
  readonly missing: string | undefined;
  /** Whether what is there outlives the process. */
  readonly isKept: boolean;
  /** A new empty place, as `backendFor` takes it. */
  readonly make: () => Promise<string>;
}

let root: string | undefined;
let cluster: Promise<Cluster> | undefined;
let count = 0;

const folder = (): string => {
  root ??= quickFolder('conform-stores-');
  count += 1;
  return join(root, String(count));
};

const require = createRequire(import.meta.url);
const packageFile = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json');
const { version } = require(packageFile) as { version: string };
/** Where the files of an empty embedded database are kept from one test file, and one run of the tests, to the next. */
const template = fileURLToPath(new URL(`../../../node_modules/.cache/pglite-${version}`, import.meta.url));

/** Making the files of an embedded database takes seconds: it is done once, and copied. */
async function emptyFolder(): Promise<string> {
  if (!existsSync(template)) {
    const own = `${template}.${process.pid}`;
    mkdirSync(dirname(own), { recursive: true });
    await (await PGlite.create({ dataDir: own })).close();
    // Another test file may have been quicker.
    if (existsSync(template)) rmSync(own, { recursive: true });
    else renameSync(own, template);
  }
  const copy = folder();
  cpSync(template, join(copy, 'data'), { recursive: true });
  return copy;
}

/** The cluster of the tests of this file, started when it is first asked for. */
export const sharedCluster = (): Promise<Cluster> => {
  cluster ??= startCluster();
  return cluster;
};

/** Takes all places away again. */
export async function clearPlaces(): Promise<void> {
  await cluster?.then(({ stop }) => stop());
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
  [root, cluster] = [undefined, undefined];
}

/** Every kind of store. */
export const places: Readonly<Record<'memory' | 'embedded' | 'shared', Place>> = {
  memory: { title: 'memory', missing: undefined, isKept: false, make: async () => 'memory' },
  embedded: { title: 'a folder', missing: undefined, isKept: true, make: emptyFolder },
  shared: {
    title: 'PostgreSQL',
    missing: noPostgres,
    isKept: true,
    make: async () => (await sharedCluster()).database(),
  },
};

/**
 * Describes tests of a kind of store. Where it is not to be had they are skipped with a notice; in continuous
 * integration they fail.
 */
export function describeStore({ title, missing, make }: Place, tests: (make: Place['make']) => void): void {
  const skipped = missing !== undefined && process.env.CI !== 'true';
  if (skipped) console.warn(missing);
  describe.skipIf(skipped)(`a store in ${title}`, () => {
    afterAll(clearPlaces);
    tests(make);
  });
}
