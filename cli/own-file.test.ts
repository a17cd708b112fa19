import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openNamed, replaceNamed } from './own-file.ts';
import { folder } from './testing/command.fixture.ts';

test('who reads a FIFO reads all that is written to it, and then its end', async () => {
  const path = join(folder(), 'fifo');
  execFileSync('mkfifo', [path]);
  expect(() => openNamed(path)).toThrow('ENXIO');
  const reader = spawn('cat', [path]);
  const read = text(reader.stdout);
  let handle: number | undefined;
  while (handle === undefined) {
    try {
      handle = openNamed(path);
    } catch {
      // The reader has not opened it yet.
      await setImmediate();
    }
  }
  writeSync(handle, 'all of it');
  closeSync(handle);
  expect(await read).toBe('all of it');
});

test('a file that is replaced keeps its rights, and the links that lead to it', () => {
  const file = join(folder(), 'secret.json');
  const link = join(folder(), 'link');
  symlinkSync(file, link);
  writeFileSync(file, 'old');
  chmodSync(file, 0o600);
  const { ino } = statSync(file);
  replaceNamed(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(file).ino).not.toBe(ino);
});
