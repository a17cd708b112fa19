import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'vitest';

/** Tests with tools of other languages: only where `npm run prove` asks for them, and as far as they are there. */

/** Runs a command to its end. */
export const run = promisify(execFile);

/** A file of this repository by its path. */
export const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The Python of the tests. */
export const python = process.env.PYTHON ?? 'python3';

/** Whether a command ends well. */
export const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Whether a module of Python is there. */
export const hasModule = (name: string): boolean => has(python, '-c', `import ${name}`);

/**
 * A test with tools of other languages. Where they are asked for and are not there, it is skipped, and its title says
 * what it `needs`.
 */
export const foreignTest = (title: string, needs: string, isThere: () => boolean, body: () => Promise<void>): void => {
  const isAsked = process.env.CLIENTS === '1';
  const runs = isAsked && isThere();
  test.skipIf(!runs)(isAsked && !runs ? `${title}: needs ${needs}` : title, body);
};
