import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** A file of records, one after another: each is a line of JSON, an array of a checksum and the record. */
export interface LogFile {
  /** Writes a record behind the others. Where it throws, the record is not in the file, and the next may be tried. */
  readonly append: (record: object) => void;
  /** Bytes. */
  readonly size: () => number;
  readonly close: () => void;
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** What stands before the record in its line. */
const before = (sum: string): string => `["${sum}",`;

/**
 * Makes a file, in the place of one that is there. A record is in it when it is written to its last byte, the end of the
 * line; what is written of one that fails is written over by the next.
 */
export function createLog(path: string): LogFile {
  const file = openSync(path, 'w', 0o600);
  let size = 0;
  return {
    append: record => {
      const text = JSON.stringify(record);
      const bytes = Buffer.from(`${before(checksum(text))}${text}]\n`);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done);
      size += bytes.length;
    },
    size: () => size,
    close: () => closeSync(file),
  };
}

/**
 * The records of a file. A last line without an end is none: nobody was told that it is kept. Throws where any other line
 * is not as it was written, and where there is none.
 */
export function readLog(path: string): readonly unknown[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  if (lines.length === 0) throw new Error('the file is empty');
  const { length } = before(checksum(''));
  return lines.map((line, index) => {
    const text = line.slice(length, -1);
    if (line !== `${before(checksum(text))}${text}]`) throw new Error(`line ${index + 1} is damaged`);
    return JSON.parse(text) as unknown;
  });
}
