import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { membersOf, parsedJson } from '../../contracts/json.ts';
import { StoreError } from './store-error.ts';

/** The times of a lock, in milliseconds. */
const usualTimes = {
  /** Between two heartbeats. */
  beat: 1000,
  /** Time without a heartbeat after which an owner elsewhere counts as dead. */
  patience: 10_000,
};
type LockTimes = typeof usualTimes;

/** Returns the message that a folder is in use, and by whom: `the process 7, in another container …`. */
type InUse = (folder: string, owner: string) => string;

const storeInUse: InUse = (folder, owner) =>
  `the store in ${folder} is in use by ${owner}; one process at a time may open it`;

/** Options that differ for other folders than stores. */
interface LockOptions extends Partial<LockTimes> {
  readonly inUse?: InUse;
}

/** The locks that this process holds, by the path of their file. */
const held = new Set<string>();

/** Returns the result of `read`; undefined if the file does not exist. */
const whereThere = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const textOf = (path: string): string | undefined => whereThere(() => readFileSync(path, 'utf8'));

/**
 * Makes a folder and its missing parents. In kernel file systems such as /proc, Node's `recursive` would retry for
 * ever.
 */
export function makeFolder(path: string, mode?: number): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error;
  }
}

/** Reads a file under /proc; empty if it is not readable. */
const told = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

/** Returns what /proc tells of a process from its state on; nothing unless on Linux. */
const fieldsOf = (pid: number): readonly string[] => {
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The program's name, in parentheses, may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const beginOf = (pid: number): string => fieldsOf(pid)[19] ?? '';

/** True if a process has ended and nobody has asked how: it keeps its id, in some containers for ever. */
const isZombie = (pid: number): boolean => fieldsOf(pid)[0] === 'Z';

const ourselves = () => ({
  host: hostname(),
  /** The boot id, and the PID namespace, of which each container has its own. Empty unless on Linux. */
  boot: told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
  namespace: told(() => readlinkSync('/proc/self/ns/pid')),
  pid: process.pid,
  /** Start time of the process in ticks since boot, because its id may be reused. Empty unless on Linux. */
  begin: beginOf(process.pid),
});

/** The owner of a lock. Host, boot and namespace tell where its process id is valid. */
type Owner = ReturnType<typeof ourselves>;

/** True if a process with this id exists, even another user's (EPERM). */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** True if an owner's process id is valid here. */
const isNear = (owner: Partial<Owner>, us: Owner): owner is Owner =>
  owner.host === us.host &&
  owner.boot === us.boot &&
  owner.namespace === us.namespace &&
  Number.isInteger(owner.pid) &&
  Number(owner.pid) > 0;

/** True if an owner near us is alive. */
const livesNear = ({ pid, begin }: Owner, path: string): boolean => {
  if (pid === process.pid) return held.has(path);
  if (!isAlive(pid) || isZombie(pid)) return false;
  const now = beginOf(pid);
  return begin === '' || now === '' || begin === now;
};

/** Waits for a heartbeat: a change of the file's time or text. */
async function beats(path: string, { beat, patience }: LockTimes): Promise<boolean> {
  const sign = () => whereThere(() => `${statSync(path, { bigint: true }).mtimeNs} ${readFileSync(path, 'utf8')}`);
  const first = sign();
  for (let left = Math.ceil((2 * patience) / beat); left > 0; left -= 1) {
    await delay(beat / 2);
    if (sign() !== first) return true;
  }
  return false;
}

/** Creates a file atomically, unless it exists; false if it does. */
const placed = (own: string, path: string): boolean => {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Removes a dead owner's lock, unless another process has taken it over meanwhile. */
function discard(path: string, own: string, found: string): void {
  const aside = `${own}.old`;
  whereThere(() => renameSync(path, aside));
  const taken = textOf(aside);
  if (taken === undefined) return;
  if (taken !== found) placed(aside, path);
  rmSync(aside, { force: true });
}

/** Keeps a new lock alive, and watches whether it is still ours. */
function keep(path: string, text: string, { beat }: LockTimes) {
  let isLost = false;
  let tell = (): void => undefined;
  const lost = new Promise<void>(resolve => {
    tell = resolve;
  });
  let last = performance.now();
  const touch = (): void => {
    last = performance.now();
    const now = new Date();
    utimesSync(path, now, now);
  };
  /**
   * True while this process holds the lock. Nothing may be written once another process has taken it over, which
   * happens after a long suspension. Calling it is also a heartbeat, for a process that writes without a pause.
   */
  const isHeld = (): boolean => {
    if (isLost) return false;
    try {
      isLost = textOf(path) !== text;
      if (!isLost && performance.now() - last >= beat) touch();
    } catch {
      // Other processes will consider a lock dead that we cannot read or touch.
      isLost = true;
    }
    if (isLost) tell();
    return !isLost;
  };
  const timer = setInterval(isHeld, beat).unref();
  return {
    isHeld,
    /** Resolves when the lock is found to be lost. */
    lost,
    release: (): void => {
      clearInterval(timer);
      held.delete(path);
      if (isHeld()) rmSync(path, { force: true });
      isLost = true;
    },
  };
}

/** Returns the living owner of a lock, in words; undefined if it is dead, or has released the lock meanwhile. */
async function livingOwner(path: string, found: string, times: LockTimes): Promise<string | undefined> {
  const us = ourselves();
  const owner: Partial<Owner> = membersOf(parsedJson(found));
  const near = isNear(owner, us);
  const lives = near ? livesNear(owner, path) : await beats(path, times);
  if (!lives || textOf(path) === undefined) return undefined;
  const elsewhere = near ? '' : `, in another container or on another machine (${String(owner.host)})`;
  return `the process ${String(owner.pid)}${elsewhere}`;
}

const lockOf = (folder: string): string => resolve(folder, 'process.id');

/** Returns the process that holds the lock of a folder, in words; undefined if none does, or if that is not readable. */
export async function ownerOf(folder: string, given: Partial<LockTimes> = {}): Promise<string | undefined> {
  const path = lockOf(folder);
  const found = told(() => readFileSync(path, 'utf8'));
  return found === '' ? undefined : livingOwner(path, found, { ...usualTimes, ...given });
}

/**
 * Locks a folder for this process with a file (`process.id`) that names it. A dead process's lock is taken over: at
 * once in this container, elsewhere after a time without heartbeats. Throws a `StoreError` that names a living owner.
 *
 * Existing lock-file packages ignore processes and containers: they would wait for heartbeats after every crash.
 * proper-lockfile, the best maintained of them, was last released in 2021.
 */
export async function lockFolder(folder: string, { inUse = storeInUse, ...given }: LockOptions = {}) {
  const times = { ...usualTimes, ...given };
  const path = lockOf(folder);
  // Processes in two containers may have the same id, so add a UUID.
  const own = `${path}.${randomUUID()}`;
  const text = `${JSON.stringify({ ...ourselves(), lock: randomUUID() })}\n`;
  writeFileSync(own, text, { mode: 0o600 });
  try {
    while (!placed(own, path)) {
      const found = textOf(path);
      if (found === undefined) continue;
      const owner = await livingOwner(path, found, times);
      if (owner !== undefined) throw new StoreError(inUse(folder, owner));
      discard(path, own, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
  held.add(path);
  return keep(path, text, times);
}
