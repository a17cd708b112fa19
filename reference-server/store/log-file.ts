import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Returns the text before the record in its line. */
const before = (sum: string): string => `["${sum}",`;

/**
 * Creates a log file, replacing an existing one. A record counts once its last byte, the line end, is written. The
 * remains of a failed record are overwritten by the next one.
 */
export function createLog(path: string) {
  const file = openSync(path, 'w', 0o600);
  let size = 0;
  return {
    /** Appends a record. If it throws, the record is not in the file, and the next may be tried. */
    append: (record: object): void => {
      const text = JSON.stringify(record);
      const bytes = Buffer.from(`${before(checksum(text))}${text}]\n`);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done);
      size += bytes.length;
    },
    /** Returns the size in bytes. */
    size: () => size,
    close: () => closeSync(file),
  };
}

/** A file of records. Each line is a JSON array of a checksum and a record. */
export type LogFile = ReturnType<typeof createLog>;

/** Yields the finished lines of a file. It is read in pieces, because it may be longer than any text. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(1024 * 1024);
    let begun: Buffer[] = [];
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) {
      const read = piece.subarray(0, size);
      let from = 0;
      for (let end = read.indexOf('\n'); end >= 0; end = read.indexOf('\n', from)) {
        yield Buffer.concat([...begun, read.subarray(from, end)]).toString();
        begun = [];
        from = end + 1;
      }
      begun.push(Buffer.from(read.subarray(from)));
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the records of a file. Ignores an unfinished last line, because it was never acknowledged. Throws if another
 * line is damaged, or if there is none.
 */
export function readLog(path: string): readonly unknown[] {
  const { length } = before(checksum(''));
  const records = Array.from(linesOf(path), (line, index) => {
    const text = line.slice(length, -1);
    if (line !== `${before(checksum(text))}${text}]`) throw new Error(`line ${index + 1} is damaged`);
    return JSON.parse(text) as unknown;
  });
  if (records.length === 0) throw new Error('the file is empty');
  return records;
}
