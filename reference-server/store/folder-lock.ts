import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { membersOf, parsedJson } from '../../contracts/json.ts';
import { StoreError } from './store-error.ts';

/** The lock of a folder, held by this process. */
interface FolderLock {
  /**
   * Whether this process still holds it. Another process takes it over from one that was stopped for long; nothing may be
   * written then. Asking is a heartbeat too, so that a process that writes without a pause stays alive for others.
   */
  readonly isHeld: () => boolean;
  /** Resolves when it was found to be lost. */
  readonly lost: Promise<void>;
  readonly release: () => void;
}

/** How a lock is kept, in milliseconds. */
interface LockTimes {
  /** Between two heartbeats. */
  readonly beat: number;
  /** Without a heartbeat for so long, an owner of whom nothing else is known is dead. */
  readonly patience: number;
}

const usualTimes: LockTimes = { beat: 1000, patience: 10_000 };

/** How somebody is told that a folder is in use, and by whom: `the process 7, in another container …`. */
type InUse = (folder: string, owner: string) => string;

const storeInUse: InUse = (folder, owner) =>
  `the store in ${folder} is in use by ${owner}; one process at a time may open it`;

/** What may be otherwise than for a store. */
interface LockOptions extends Partial<LockTimes> {
  readonly inUse?: InUse;
}

/** Who holds a lock. The first three say where the process with this id is to be looked for. */
interface Owner {
  readonly host: string;
  /** The id of the start of the machine, and of the PID namespace: containers have one each. Empty beyond Linux. */
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  /**
   * When the process began, in ticks since the machine did, as another one that was given the same id began at another
   * time. Empty beyond Linux.
   */
  readonly begin: string;
}

/** The locks that this process holds, by the path of their file. */
const held = new Set<string>();

/** What `read` gives; undefined where there is no such file. */
const whereThere = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const textOf = (path: string): string | undefined => whereThere(() => readFileSync(path, 'utf8'));

/** What the system tells in a file under /proc; empty where it tells nothing. */
const told = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

const beginOf = (pid: number): string => {
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name of the program, in parentheses, may hold anything; the time is the twentieth field after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

const ourselves = (): Owner => ({
  host: hostname(),
  boot: told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
  namespace: told(() => readlinkSync('/proc/self/ns/pid')),
  pid: process.pid,
  begin: beginOf(process.pid),
});

/** Whether there is a process of this id, also one of somebody else (EPERM). */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The owner that a lock names; nothing is known of it where it names none. */
const ownerOf = (text: string): Partial<Owner> => membersOf(parsedJson(text));

/** Whether an owner can be looked for: its id means the same process here. */
const isNear = (owner: Partial<Owner>, us: Owner): owner is Owner =>
  owner.host === us.host &&
  owner.boot === us.boot &&
  owner.namespace === us.namespace &&
  Number.isInteger(owner.pid) &&
  Number(owner.pid) > 0;

/** Whether an owner that can be looked for lives. */
const livesNear = ({ pid, begin }: Owner, path: string): boolean => {
  if (pid === process.pid) return held.has(path);
  if (!isAlive(pid)) return false;
  const now = beginOf(pid);
  return begin === '' || now === '' || begin === now;
};

/** Whether a heartbeat comes while it is waited for; the file and its text tell it. */
async function beats(path: string, { beat, patience }: LockTimes): Promise<boolean> {
  const sign = () => whereThere(() => `${statSync(path, { bigint: true }).mtimeNs} ${readFileSync(path, 'utf8')}`);
  const first = sign();
  for (let left = Math.ceil((2 * patience) / beat); left > 0; left -= 1) {
    await delay(beat / 2);
    if (sign() !== first) return true;
  }
  return false;
}

/** Puts a file in the place of none, whole or not at all; false where there is one. */
const placed = (own: string, path: string): boolean => {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Takes away a lock that was found to be nobody's, unless another process has taken it over in between. */
function discard(path: string, own: string, found: string): void {
  const aside = `${own}.old`;
  whereThere(() => renameSync(path, aside));
  const taken = textOf(aside);
  if (taken === undefined) return;
  if (taken !== found) placed(aside, path);
  rmSync(aside, { force: true });
}

/** Throws a `StoreError` that names the owner of a lock, if it lives. One that is known here is told of at once. */
async function refuseLiving(
  { folder, path, inUse, times }: { folder: string; path: string; inUse: InUse; times: LockTimes },
  found: string,
  us: Owner,
): Promise<void> {
  const owner = ownerOf(found);
  const near = isNear(owner, us);
  if (!(near ? livesNear(owner, path) : await beats(path, times))) return;
  // Let go of meanwhile: nobody is in the way.
  if (textOf(path) === undefined) return;
  const elsewhere = near ? '' : `, in another container or on another machine (${String(owner.host)})`;
  throw new StoreError(inUse(folder, `the process ${String(owner.pid)}${elsewhere}`));
}

/** Keeps a lock that was placed alive, and looks whether it is still the one. */
function keep(path: string, text: string, { beat }: LockTimes): FolderLock {
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
  const isHeld = (): boolean => {
    if (isLost) return false;
    try {
      isLost = textOf(path) !== text;
      if (!isLost && performance.now() - last >= beat) touch();
    } catch {
      // A lock that cannot be read or touched will be taken for dead.
      isLost = true;
    }
    if (isLost) tell();
    return !isLost;
  };
  const timer = setInterval(isHeld, beat).unref();
  return {
    isHeld,
    lost,
    release: () => {
      clearInterval(timer);
      held.delete(path);
      if (isHeld()) rmSync(path, { force: true });
      isLost = true;
    },
  };
}

/**
 * Locks a folder for this process by a file (`process.id`) that names it. The lock of a process of this machine and this
 * container that is gone is taken over at once; one of elsewhere when it gave no heartbeat for a while. A `StoreError`
 * names the process that holds it.
 *
 * The packages that lock files know neither processes nor containers: they would wait for the heartbeat of every owner,
 * also after each crash, and proper-lockfile, the best kept of them, was last released in 2021.
 */
export async function lockFolder(
  folder: string,
  { inUse = storeInUse, ...given }: LockOptions = {},
): Promise<FolderLock> {
  const times = { ...usualTimes, ...given };
  const path = resolve(folder, 'process.id');
  // Processes of two containers may have the same id.
  const own = `${path}.${randomUUID()}`;
  const us = ourselves();
  const text = `${JSON.stringify({ ...us, lock: randomUUID() })}\n`;
  writeFileSync(own, text, { mode: 0o600 });
  try {
    while (!placed(own, path)) {
      const found = textOf(path);
      if (found === undefined) continue;
      await refuseLiving({ folder, path, inUse, times }, found, us);
      discard(path, own, found);
    }
  } finally {
    rmSync(own, { force: true });
  }
  held.add(path);
  return keep(path, text, times);
}
