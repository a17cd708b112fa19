import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { backendFor } from '../../store/backends.ts';
import { type Cluster, noPostgres, startCluster } from './postgres.fixture.ts';

/** Where durable stores of tests are kept, and how to make an empty one. */
export interface Place {
  readonly title: string;
  /** Why it is not to be had on this machine; undefined where it is. */
  readonly missing: string | undefined;
  /** A new empty place, as `backendFor` takes it. */
  readonly make: () => Promise<string>;
}

let root: string | undefined;
let made: Promise<string> | undefined;
let cluster: Promise<Cluster> | undefined;
let count = 0;

const folder = (): string => {
  root ??= mkdtempSync(join(tmpdir(), 'conform-stores-'));
  count += 1;
  return join(root, String(count));
};

/** Making the files of an embedded database takes seconds: it is done once, and copied. */
async function emptyFolder(): Promise<string> {
  made ??= (async () => {
    const first = folder();
    await (await backendFor(first)).close();
    return first;
  })();
  const copy = folder();
  cpSync(await made, copy, { recursive: true });
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
  [root, made, cluster] = [undefined, undefined, undefined];
}

/** Both kinds of durable stores. */
export const places: Readonly<Record<'embedded' | 'shared', Place>> = {
  embedded: { title: 'a folder', missing: undefined, make: emptyFolder },
  shared: {
    title: 'PostgreSQL',
    missing: noPostgres,
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
