import type { Answer } from './answer.ts';
import { isKeyRefusal } from './answer.ts';

/** Why nothing is sent any more. */
export class RunStopped extends Error {
  readonly reason: 'interrupted' | 'unreachable';

  constructor(reason: RunStopped['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Watches over a run: whether the target still answers, whether the run was interrupted, whether any valid key was accepted. */
export interface Pulse {
  /** Throws `RunStopped` when nothing is to be sent any more. */
  admit(): void;
  /** Takes note of an answer. */
  note(answer: Answer): void;
  stop(reason: RunStopped['reason'], message: string): void;
  readonly stopped: () => RunStopped | null;
}

/** So many requests in a row without any HTTP answer mean that nobody is there any more. */
const mostSilent = 6;

/** A fresh pulse; `signal` interrupts. */
export function createPulse(signal?: AbortSignal): Pulse {
  let silent = 0;
  let stopped: RunStopped | null = null;
  return {
    stopped: () => stopped,
    stop(reason, message) {
      stopped ??= new RunStopped(reason, message);
    },
    admit() {
      if (signal?.aborted === true) stopped ??= new RunStopped('interrupted', 'the run was interrupted');
      if (stopped !== null) throw stopped;
    },
    note(answer) {
      const { failure } = answer.reply;
      if (failure === null) {
        silent = 0;
        return;
      }
      silent += 1;
      if (silent >= mostSilent) {
        stopped ??= new RunStopped(
          'unreachable',
          `the target stopped answering: ${silent} requests in a row ended in "${failure.message}"`,
        );
      }
    },
  };
}

/** True when every one of some answers refused a key that should be right. */
export const allRefuseTheKey = (answers: readonly Answer[]): boolean =>
  answers.length > 0 && answers.every(isKeyRefusal);
