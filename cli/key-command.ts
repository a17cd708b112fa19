import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { redactions } from '../contracts/report/evidence.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { timeText } from '../reports/text/time-text.ts';
import type { KeySource } from '../suites/protocol/sut.ts';
import { renewableKey } from '../suites/sut/target.ts';
import { patience, type RunningCommand, refuseNoCommand, startCommand } from './exec.ts';
import { refuse } from './input.ts';
import { knownSecrets, tell } from './writer.ts';

/** Limits of a key command: its time, what it may print, and how many lines of its standard error are shown. */
const most = { milliseconds: 60_000, bytes: 65_536, lines: 200 } as const;

/** Refuses a text that cannot be the API key. Does not show the text. */
export function refuseKey(key: string, place: string): void {
  if (/[^\x20-\x7e]/.test(key)) refuse(`${place} has characters that cannot stand in an HTTP header`);
  if (key !== key.trim()) refuse(`${place} begins or ends with a blank, which no HTTP header keeps`);
}

/** Returns why a running command brings no key; null if it ended well. */
async function failureOf(
  { ended, output, complaints }: RunningCommand,
  gather: (chunk: unknown) => void,
): Promise<string | null> {
  let limit: NodeJS.Timeout | undefined;
  const failure = await new Promise<string | null>(resolve => {
    limit = setTimeout(() => resolve(`did not end within ${timeText(most.milliseconds)}`), most.milliseconds);
    output?.on('data', gather);
    let printed = 0;
    for (const stream of [output, complaints])
      stream?.on('data', ({ length }: Buffer) => {
        printed += length;
        if (printed > most.bytes) resolve('printed far more than a key');
      });
    void ended.then(code => resolve(code === 0 ? null : `failed (exit code ${code})`));
  });
  clearTimeout(limit);
  return failure;
}

const closed = (stream: RunningCommand['output']): Promise<unknown> =>
  new Promise(resolve => stream?.once('close', resolve));

/**
 * Runs a command through the shell. Resolves to its trimmed output once all processes of its group have ended; its
 * standard error is shown line by line. A process that left the group may still hold the output, and is not waited for.
 */
async function printed(command: string): Promise<string> {
  const running = startCommand(command, process.env, 'read');
  const { output, complaints } = running;
  let text = '';
  let lines = 0;
  const complain = (line: string): void => {
    lines += 1;
    if (lines <= most.lines) tell(`${safeText(line)}\n`);
    else if (lines === most.lines + 1) tell('… (and more, which is not shown)\n');
  };
  if (complaints) createInterface(complaints).on('line', complain);
  const [all, said] = [closed(output), closed(complaints)];
  const failure = await failureOf(running, chunk => {
    text += String(chunk);
  });
  // Only pause the output: if it were closed, an endless command would complain for ever.
  if (failure !== null) output?.pause();
  await running.cleanUp(failure === null);
  const patient = new AbortController();
  await Promise.race([
    failure === null ? Promise.all([all, said]) : said,
    pause(patience.whole, undefined, { signal: patient.signal }).catch(() => {}),
  ]);
  patient.abort();
  output?.destroy();
  complaints?.destroy();
  if (failure !== null) refuse(`--api-key-command ${failure}`);
  return text.trim();
}

async function keyOf(command: string): Promise<string> {
  const key = await printed(command);
  if (key === '') refuse('--api-key-command printed no key');
  knownSecrets().add(key, redactions.key);
  refuseKey(key, 'what --api-key-command printed');
  return key;
}

/**
 * Returns the key that a command prints, renewed whenever the target refuses it. Throws a `UsageError` if the first
 * call brings none. A later failure is reported on the standard error, and the key in use stays.
 */
export async function keysOfCommand(command: string): Promise<KeySource> {
  refuseNoCommand('--api-key-command', command);
  return renewableKey(await keyOf(command), () =>
    keyOf(command).catch((error: Error) => {
      tell(`conform: ${error.message}; the key that it printed before stays in use\n`);
      return null;
    }),
  );
}
