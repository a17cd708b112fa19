import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TargetFile } from '../../../contracts/target.ts';
import type { Up } from '../mutants/judged.ts';

const server = fileURLToPath(new URL('server.py', import.meta.url));
const targetFile = JSON.parse(readFileSync(new URL('target.json', import.meta.url), 'utf8')) as TargetFile;
const apiKey = 'k1-abcdef';

/** Whether a Python is here that runs the server: 3.9 or later. */
export const hasPython = (): boolean =>
  spawnSync('python3', ['-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

/**
 * Starts the server in Python on a free port of the loopback interface, with one of its regressions where one is named.
 *
 * @throws where it ends before it listens
 */
export async function startPython(regression?: string): Promise<Up> {
  const broken = regression === undefined ? [] : ['--regression', regression];
  const child = spawn('python3', ['-B', server, '--port', '0', '--key', apiKey, ...broken], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { url, apiKey, targetFile, kill: () => void child.kill('SIGKILL') };
  }
  throw new Error('the server in Python ended before it listened');
}
