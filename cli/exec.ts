import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A command that runs, with all that it started, in a process group of its own. */
export interface RunningCommand {
  /** The exit code; of a command that a signal ended, what a shell says of it: 128 and the number of the signal. */
  readonly ended: Promise<number>;
  /** Hands a signal on to all of the group. */
  signal(name: NodeJS.Signals): void;
  /** Ends what the command left behind: asks first, and then does not ask. */
  cleanUp(): Promise<void>;
}

/** Milliseconds that what is left of a group has to end when asked, and between two looks. */
const patience = { whole: 2_000, look: 20 } as const;

/** Starts a command through the shell, with the input and the outputs of this process. */
export function startCommand(command: string, environment: NodeJS.ProcessEnv): RunningCommand {
  const child = spawn(command, { shell: true, stdio: 'inherit', env: environment, detached: true });
  const { pid } = child;

  /** Sends a signal to the group; false where nobody is left in it. */
  function tell(name: NodeJS.Signals | 0): boolean {
    try {
      return pid !== undefined && process.kill(-pid, name);
    } catch {
      return false;
    }
  }

  const killAll = (): void => void tell('SIGKILL');
  // However this process ends, nothing that it started stays behind.
  process.once('exit', killAll);
  const ended = new Promise<number>(resolve => {
    child.once('error', () => resolve(127));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]));
  });
  return {
    ended,
    signal: name => void tell(name),
    async cleanUp() {
      tell('SIGTERM');
      for (let waited = 0; waited < patience.whole && tell(0); waited += patience.look) await pause(patience.look);
      killAll();
      process.off('exit', killAll);
    },
  };
}
