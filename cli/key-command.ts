import { spawn } from 'node:child_process';
import { redactions } from '../contracts/report/evidence.ts';
import type { KeySource } from '../suites/protocol/sut.ts';
import { renewableKey } from '../suites/sut/key-source.ts';
import { UsageError } from './input.ts';
import { knownSecrets, shown } from './known-secrets.ts';
import { errors } from './writer.ts';

/** Milliseconds after which a command that prints no key is ended, and the most that it may print, in bytes. */
const most = { milliseconds: 60_000, bytes: 65_536 } as const;

/** Refuses a text that cannot be the API key. The text is not shown. */
export function refuseKey(key: string, place: string): void {
  if (/[^\x20-\x7e]/.test(key)) throw new UsageError(`${place} has characters that cannot stand in an HTTP header`);
}

/** Runs a command through the shell. Resolves to what it prints, trimmed; its standard error is that of this process. */
function printed(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new UsageError(`--api-key-command ${why}`));
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'inherit'], timeout: most.milliseconds });
    let text = '';
    child.stdout.on('data', chunk => {
      text += String(chunk);
      if (text.length > most.bytes) child.kill();
    });
    child.on('error', ({ message }) => fail(`cannot be run (${message})`));
    child.on('close', (code, signal) => {
      if (text.length > most.bytes) fail('printed far more than a key');
      else if (code !== 0) fail(`failed (${signal === null ? `exit code ${code}` : signal})`);
      else resolve(text.trim());
    });
  });
}

async function keyOf(command: string): Promise<string> {
  const key = await printed(command);
  if (key === '') throw new UsageError('--api-key-command printed no key');
  knownSecrets().add(key, redactions.key);
  refuseKey(key, 'what --api-key-command printed');
  return key;
}

/**
 * The key that a command prints, and a new one whenever the target refuses it. Throws a `UsageError` where the first
 * call brings none; later ones are told on the standard error, and the key in use stays.
 */
export async function keysOfCommand(command: string): Promise<KeySource> {
  return renewableKey(await keyOf(command), () =>
    keyOf(command).catch((error: Error) => {
      errors.write(shown(`conform: ${error.message}; the key that it printed before stays in use\n`));
      return null;
    }),
  );
}
