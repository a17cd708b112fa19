import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockFolder } from './folder-lock.ts';

/** Long times, so that no test waits for a heartbeat or loses its lock unless it means to. */
const calm = { beat: 1000, patience: 3_600_000 };
/** Short times: an owner elsewhere is soon considered dead. */
const quick = { beat: 10, patience: 50 };

describe('the lock of a folder', () => {
  let folder: string;
  const path = (): string => join(folder, 'process.id');
  const text = (): string => readFileSync(path(), 'utf8');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'conform-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes the lock of another owner: this process, apart from the given members. */
  const foreign = async (owner: object): Promise<string> => {
    const lock = await lockFolder(folder, calm);
    const own = JSON.parse(text());
    lock.release();
    const other = `${JSON.stringify({ ...own, ...owner })}\n`;
    writeFileSync(path(), other);
    return other;
  };

  it('is held by one, until it is let go of, and leaves nothing behind', async () => {
    const lock = await lockFolder(folder, calm);
    await expect(lockFolder(folder, calm)).rejects.toThrow(
      `the store in ${folder} is in use by the process ${process.pid}; one process at a time may open it`,
    );
    expect(readdirSync(folder)).toEqual(['process.id']);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(lock.isHeld()).toBe(true);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    (await lockFolder(folder, calm)).release();
  });

  it('goes to one of many that ask at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, calm)));
    const got = asked.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
    expect(got).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['process.id']);
    got[0]?.release();
  });

  it('is respected at once where the process is known to live', async () => {
    const other = await foreign({ pid: process.ppid, begin: '' });
    await expect(lockFolder(folder, calm)).rejects.toThrow(`in use by the process ${process.ppid}; one`);
    expect(text()).toBe(other);
  });

  it('is taken over at once from a process that is known to be gone', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (const owner of [{ pid }, { pid: process.ppid, begin: '1' }, {}]) {
      // Only where the system reports start times of processes.
      if ('begin' in owner && JSON.parse(await foreign({})).begin === '') continue;
      await foreign(owner);
      const lock = await lockFolder(folder, calm);
      expect(JSON.parse(text()).pid).toBe(process.pid);
      lock.release();
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'is taken over from a process that has ended and was not waited for',
    async () => {
      // The shell becomes a program that waits for no child.
      const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 600']);
      onTestFinished(() => void parent.kill());
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(String(line));
      await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '), 10_000);
      await foreign({ pid, begin: '' });
      (await lockFolder(folder, calm)).release();
    },
  );

  // biome-ignore format: a table
  it.each([
    ['in another container',        { namespace: 'pid:[1]' }],
    ['on another machine',          { host: 'elsewhere' }],
    ['before the machine began',    { boot: 'earlier' }],
    ['of an id that is none',       { pid: -1 }],
  ])('is respected while a process %s gives heartbeats, and taken over when it does not', async (_where, owner) => {
    const other = await foreign({ pid: 1, ...owner });
    let count = 0;
    const heart = setInterval(() => {
      count += 1;
      utimesSync(path(), count, count);
    }, 5);
    await expect(lockFolder(folder, { ...calm, beat: 10 })).rejects.toThrow(
      /in use by the process -?1, in another container or on another machine \(.+\); one process at a time/,
    );
    clearInterval(heart);
    expect(text()).toBe(other);
    const lock = await lockFolder(folder, quick);
    expect(JSON.parse(text()).pid).toBe(process.pid);
    lock.release();
  });

  it('is taken over from what names no owner', async () => {
    for (const nothing of ['', 'nonsense', 'null', '7 7', '[]', '{"pid":"x"}']) {
      writeFileSync(path(), nothing);
      (await lockFolder(folder, quick)).release();
    }
  });

  it('gives heartbeats while it is asked for, also where no timer has its turn', async () => {
    const lock = await lockFolder(folder, { ...calm, beat: 1 });
    utimesSync(path(), 1, 1);
    while (statSync(path()).mtimeMs === 1000) expect(lock.isHeld()).toBe(true);
    lock.release();
  });

  it.each([
    ['another process took it', () => writeFileSync(path(), 'another\n'), 'another\n'],
    ['somebody took the file away', () => rmSync(path()), undefined],
  ])('is lost, and told to be, when %s; nothing of the other is taken away', async (_how, lose, left) => {
    const lock = await lockFolder(folder, quick);
    lose();
    await lock.lost;
    expect(lock.isHeld()).toBe(false);
    lock.release();
    expect(readdirSync(folder)).toEqual(left === undefined ? [] : ['process.id']);
    if (left !== undefined) expect(text()).toBe(left);
  });
});
