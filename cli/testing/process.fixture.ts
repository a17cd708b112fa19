import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { builtProgram } from '../../reference-server/proof/testing/built.ts';

/** The command line as one program, built from the current sources. */
export const commandLine = await builtProgram(fileURLToPath(new URL('../main.ts', import.meta.url)));

/** The command line in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  /** Returns the standard error so far. */
  err(): string;
  /** Resolves when the standard error, or a standard output that is not a file, contains a match. */
  says(what: RegExp): Promise<void>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** The scarce resources of a process. */
export interface Shortage {
  /**
   * Maximum size of its files, in blocks of 512 bytes: as on a disk that fills, the system writes what fits and refuses
   * the rest (EFBIG).
   */
  readonly blocks?: number;
  /** A file for its standard output, instead of a pipe. */
  readonly stdout?: string;
}

/** Starts the command line as a user would start the build; ends it after the test. */
export function started(argv: readonly string[], { blocks, stdout }: Shortage = {}): Running {
  const command = [process.execPath, commandLine, ...argv];
  // POSIX counts the limit of `ulimit` in blocks of 512 bytes.
  const limited = blocks === undefined ? command : ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', ...command];
  const [program = '', ...words] = limited;
  const out = stdout === undefined ? 'pipe' : openSync(stdout, 'w');
  const child = spawn(program, words, {
    stdio: ['ignore', out, 'pipe'],
    env: { ...process.env, SERVICE_API_KEY: '', NO_COLOR: '1', CI: '1' },
  });
  if (typeof out === 'number') closeSync(out);
  const texts = { out: '', err: '' };
  const waiting: { what: RegExp; resolve: () => void }[] = [];
  const look = (): void => {
    for (const { what, resolve } of waiting) if (what.test(texts.err) || what.test(texts.out)) resolve();
  };
  const gather = (stream: 'out' | 'err') => (chunk: unknown) => {
    texts[stream] += String(chunk);
    look();
  };
  child.stdout?.on('data', gather('out'));
  child.stderr?.on('data', gather('err'));
  const ended = new Promise<number | NodeJS.Signals | null>(resolve =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    ended,
    err: () => texts.err,
    says: what =>
      new Promise(resolve => {
        waiting.push({ what, resolve });
        look();
      }),
  };
}
