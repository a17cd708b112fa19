import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TargetFile } from '../../../contracts/target.ts';
import type { Up } from '../mutants/judged.ts';
import { fileOf, type Stack } from './stacks.ts';

const apiKey = 'k1-abcdef';

/**
 * Starts the server of a stack, with a regression if given, on a free port of the loopback interface.
 *
 * @throws if its tools are not installed, or it ends before it listens
 */
export async function startServer({ name, needs, isThere, command }: Stack, regression?: string): Promise<Up> {
  if (!isThere()) throw new Error(`the server in ${name} needs ${needs}`);
  const [program, ...given] = command();
  const broken = regression === undefined ? [] : ['--regression', regression];
  const child = spawn(program, [...given, '--port', '0', '--key', apiKey, ...broken], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const targetFile = JSON.parse(readFileSync(fileOf(name, 'target.json'), 'utf8')) as TargetFile;
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { url, apiKey, targetFile, kill: () => void child.kill('SIGKILL') };
  }
  throw new Error(`the server in ${name} ended before it listened`);
}
