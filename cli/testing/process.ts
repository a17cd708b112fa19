import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** The command line in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  /** Resolves when the standard error has said something that matches. */
  says(what: RegExp): Promise<void>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts the command line from its sources, as a user would from the build; ended when the test is. */
export function started(argv: readonly string[]): Running {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SERVICE_API_KEY: '', NO_COLOR: '1', CI: '1' },
  });
  let text = '';
  const waiting: { what: RegExp; resolve: () => void }[] = [];
  const look = (): void => {
    for (const one of waiting) if (one.what.test(text)) one.resolve();
  };
  child.stdout.resume();
  child.stderr.on('data', chunk => {
    text += String(chunk);
    look();
  });
  const ended = new Promise<number | NodeJS.Signals | null>(resolve =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    ended,
    says: what =>
      new Promise(resolve => {
        waiting.push({ what, resolve });
        look();
      }),
  };
}
