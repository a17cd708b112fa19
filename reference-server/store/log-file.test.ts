import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog, readLog } from './log-file.ts';

/** Writes records into a new file. Returns its path. */
const written = (...records: readonly object[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'log');
  const log = createLog(path);
  for (const record of records) log.append(record);
  log.close();
  return path;
};

it('records come back, wherever the pieces end in which the file is read', () => {
  const records = Array.from({ length: 9 }, (_, index) => ({ index, text: '\u2028ü☃😀'.repeat(40_000 * (index % 4)) }));
  const path = written(...records);
  expect(readLog(path)).toEqual(records);
  appendFileSync(path, '["00000000",{');
  expect(readLog(path)).toEqual(records);
});

it('a file that is longer than any text is read, up to the first line that is damaged', () => {
  const path = written({ format: 1 });
  appendFileSync(path, 'no record\n');
  // Without blocks of its own on the disk.
  truncateSync(path, 600 * 1024 * 1024);
  expect(() => readLog(path)).toThrow('line 2 is damaged');
});
