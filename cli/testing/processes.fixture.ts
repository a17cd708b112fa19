import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** True if a process is alive; a zombie is not. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Returns the process id that a command writes to a file, as soon as it is there. */
export async function written(file: string): Promise<number> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await pause(5);
  return Number(readFileSync(file, 'utf8'));
}

/** Resolves when none of these processes is alive. */
export async function allGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await pause(5);
}
