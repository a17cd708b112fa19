import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from './input.ts';
import { onEndingSignal } from './interruption.ts';

/** Milliseconds: `whole`, how long a group may take to end when asked; `look`, the time between two looks. */
export const patience = { whole: 2_000, look: 20 } as const;

/** The functions that kill the running groups. */
const groups = new Set<() => void>();

/** Kills all groups. However this process ends, nothing that it started may stay behind. */
const endAll = (): void => {
  for (const end of groups) end();
};

/** Process groups of their own get no signals from the terminal. Kill them unless somebody else handles the signal. */
const onSignal = (name: NodeJS.Signals): void => {
  if (process.listenerCount(name) > 1) return;
  endAll();
  process.off(name, onSignal);
  process.kill(process.pid, name);
};

let unheed = (): void => {};

function watchOver(end: () => void): void {
  groups.add(end);
  if (groups.size > 1) return;
  process.on('exit', endAll);
  unheed = onEndingSignal(onSignal);
}

function leave(end: () => void): void {
  if (!groups.delete(end) || groups.size > 0) return;
  process.off('exit', endAll);
  unheed();
}

/** Refuses a flag that names no command. */
export function refuseNoCommand(flag: string, command: string): void {
  if (command.trim() === '') refuse(`${flag} names no command`);
}

/**
 * Starts a command through the shell, in a process group of its own. It shares the streams of this process. With
 * `print` `'read'` it has no input, and pipes for its two outputs.
 */
export function startCommand(command: string, environment: NodeJS.ProcessEnv, print: 'shown' | 'read' = 'shown') {
  let pid: number | undefined;

  /** Sends a signal to the group. Returns false if nobody is left in it. */
  function tell(name: NodeJS.Signals | 0): boolean {
    try {
      return pid !== undefined && process.kill(-pid, name);
    } catch {
      return false;
    }
  }

  const killAll = (): void => void tell('SIGKILL');
  // Register before the start: a signal in between would leave the command behind.
  watchOver(killAll);
  const stdio: StdioOptions = print === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const child: ChildProcess = spawn(command, { shell: true, stdio, env: environment, detached: true });
  pid = child.pid;
  /** The exit code. For a command that a signal ended, 128 and the number of the signal, as in a shell. */
  const ended = new Promise<number>(resolve => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]));
  });
  return {
    ended,
    output: child.stdout,
    complaints: child.stderr,
    /** Sends a signal to the whole group. */
    signal: (name: NodeJS.Signals): void => void tell(name),
    /** Ends the command and what it left behind: asks first if `isAsked`, then kills. */
    async cleanUp(isAsked = true) {
      if (isAsked) tell('SIGTERM');
      for (let waited = 0; isAsked && waited < patience.whole && tell(0); waited += patience.look)
        await pause(patience.look);
      killAll();
      leave(killAll);
    },
  };
}

/** A running command, with all processes that it started. */
export type RunningCommand = ReturnType<typeof startCommand>;
