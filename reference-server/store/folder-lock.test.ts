import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './folder-lock.ts';

describe('the lock of a folder', () => {
  let folder: string;
  const path = (): string => join(folder, 'process.id');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'conform-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is held by one, until it is let go of, and leaves nothing behind', () => {
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`in use by the process ${process.pid}`);
    expect(readdirSync(folder)).toEqual(['process.id']);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
    lockFolder(folder)();
  });

  it('is respected where the process lives', () => {
    writeFileSync(path(), `${process.ppid}\n`);
    expect(() => lockFolder(folder)).toThrow(`in use by the process ${process.ppid}`);
    expect(readFileSync(path(), 'utf8')).toBe(`${process.ppid}\n`);
  });

  it('is taken over from a process that is gone', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (const text of [`${pid} 1\n`, `${pid}\n`, '', 'nonsense', '-1', '0']) {
      writeFileSync(path(), text);
      const unlock = lockFolder(folder);
      expect(readFileSync(path(), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
      unlock();
    }
  });

  it('is taken over where another process was given the same id, or this one', () => {
    const unlock = lockFolder(folder);
    const own = readFileSync(path(), 'utf8');
    unlock();
    writeFileSync(path(), own);
    lockFolder(folder)();
    // Only where the system tells when a process began.
    if (/^\d+ \d+$/.test(own.trim())) {
      writeFileSync(path(), `${process.ppid} 1\n`);
      lockFolder(folder)();
    }
  });

  it('is not taken away by one who lost it to another', () => {
    const unlock = lockFolder(folder);
    writeFileSync(path(), `${process.ppid}\n`);
    unlock();
    expect(readFileSync(path(), 'utf8')).toBe(`${process.ppid}\n`);
  });
});
