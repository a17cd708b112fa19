import { rmSync } from 'node:fs';
import { join } from 'node:path';
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
export const places: Readonly<Record<'memory' | 'folder' | 'shared', Place>> = {
  memory: { title: 'memory', missing: undefined, isKept: false, make: async () => 'memory' },
  folder: { title: 'a folder', missing: undefined, isKept: true, make: async () => folder() },
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
