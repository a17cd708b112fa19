import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtByGo, builtByJava, hasGo, hasJava } from './builds.ts';

/** A server of the API in another stack, in the folder of its name beside this file. */
export interface Stack {
  readonly name: string;
  /** Language, libraries, storage and concurrency. */
  readonly title: string;
  /** The tools that it needs. */
  readonly needs: string;
  /** True if they are installed. */
  readonly isThere: () => boolean;
  /** Returns the command that starts it, after a build if needed. It takes `--port`, `--key` and `--regression`. */
  readonly command: () => readonly [string, ...string[]];
  /** The number found before the suite was improved because of it. It can be measured only once. */
  readonly atFirst: string;
  /** The warnings of a standard run about the sound server, and so about every regression that it does not find. */
  readonly warned?: string;
}

/** A file of a stack. */
export const fileOf = (stack: string, name: string): string =>
  fileURLToPath(new URL(`${stack}/${name}`, import.meta.url));

/** All stacks. */
export const stacks: readonly Stack[] = [
  {
    name: 'python',
    title: 'Python, its standard library, SQLite, a thread for each request',
    needs: 'python3 of 3.9 or later',
    isThere: () =>
      spawnSync('python3', ['-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))']).status === 0,
    command: () => ['python3', '-B', fileOf('python', 'server.py')],
    atFirst:
      'At first sight 46 of 60 were found, and the sound server was accused once, for a vocabulary that could not tell the name of a team from its id.',
  },
  {
    name: 'go',
    title: 'Go, its standard library, everything in memory behind one lock',
    needs: 'go of 1.19 or later',
    isThere: hasGo,
    command: () => [builtByGo()],
    atFirst:
      'At first sight 43 of 60 were found: 78.2 % of the 55 that break what is stated. The sound server was accused of nothing, and four runs led from nothing to green. Nothing was mended between the first and the last of them. Of forty more (f01 to f40), by somebody who had not seen the suite either, 30 were found at first sight, 88.2 % of the 34 that break what is stated.',
    warned:
      'A standard run warns of the sound server as well: its net/http answers `%zz` in a path with plain text before any handler sees it.',
  },
  {
    name: 'java',
    title: 'Java, its JDK, tables with row versions in memory, a socket and a thread for each connection',
    needs: 'a JDK of 17 or later',
    isThere: hasJava,
    command: () => ['java', '-cp', builtByJava(), 'Main'],
    atFirst:
      'At first sight 43 of 60 were found: 79.6 % of the 54 that break what is stated. The sound server was accused of nothing and warned of nothing, in its first run.',
  },
];

/**
 * Returns the stack of a name.
 *
 * @throws for an unknown name
 */
export function stackOf(name: string): Stack {
  const stack = stacks.find(one => one.name === name);
  if (stack === undefined)
    throw new Error(`there is no stack ${name}; there are ${stacks.map(one => one.name).join(', ')}`);
  return stack;
}
