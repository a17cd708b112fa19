import { setTimeout as pause } from 'node:timers/promises';
import { redactions } from '../contracts/report/evidence.ts';
import { timeText } from '../reports/text/time-text.ts';
import type { KeySource } from '../suites/protocol/sut.ts';
import { renewableKey } from '../suites/sut/key-source.ts';
import { patience, type RunningCommand, refuseNoCommand, startCommand } from './exec.ts';
import { UsageError } from './input.ts';
import { knownSecrets, shown } from './known-secrets.ts';
import { errors } from './writer.ts';

/** Milliseconds after which a command that prints no key is ended, and the most that it may print, in bytes. */
const most = { milliseconds: 60_000, bytes: 65_536 } as const;

/** Refuses a text that cannot be the API key. The text is not shown. */
export function refuseKey(key: string, place: string): void {
  if (/[^\x20-\x7e]/.test(key)) throw new UsageError(`${place} has characters that cannot stand in an HTTP header`);
}

/** Why a command that runs brings no key, once that is known; null where it ended well. */
async function failureOf(
  { ended, output }: RunningCommand,
  gather: (chunk: unknown) => number,
): Promise<string | null> {
  let limit: NodeJS.Timeout | undefined;
  const failure = await new Promise<string | null>(resolve => {
    limit = setTimeout(() => resolve(`did not end within ${timeText(most.milliseconds)}`), most.milliseconds);
    output?.on('data', chunk => {
      if (gather(chunk) > most.bytes) resolve('printed far more than a key');
    });
    void ended.then(code => resolve(code === 0 ? null : `failed (exit code ${code})`));
  });
  clearTimeout(limit);
  return failure;
}

/**
 * Runs a command through the shell. Resolves to what it prints, trimmed; its standard error is that of this process. All
 * that it started has ended then. Only who left its process group may still hold its output, and is not waited for.
 */
async function printed(command: string): Promise<string> {
  const running = startCommand(command, process.env, 'read');
  let text = '';
  const gather = (chunk: unknown): number => {
    text += String(chunk);
    return text.length;
  };
  const closed = new Promise(resolve => running.output?.once('close', resolve));
  const failure = await failureOf(running, gather);
  // One that prints for ever would complain for ever that nobody reads it.
  if (failure !== null) running.output?.pause();
  await running.cleanUp(failure === null);
  const patient = new AbortController();
  if (failure === null)
    await Promise.race([closed, pause(patience.whole, undefined, { signal: patient.signal }).catch(() => {})]);
  patient.abort();
  running.output?.destroy();
  if (failure !== null) throw new UsageError(`--api-key-command ${failure}`);
  return text.trim();
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
  refuseNoCommand('--api-key-command', command);
  return renewableKey(await keyOf(command), () =>
    keyOf(command).catch((error: Error) => {
      errors.say(shown(`conform: ${error.message}; the key that it printed before stays in use\n`));
      return null;
    }),
  );
}
