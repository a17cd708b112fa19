import { longestHead, Unreadable } from './head.ts';

/** Longest line that states the size of a chunk, with its extensions, in bytes. */
const longestSizeLine = 4_096;

/** Reads a body in chunks (RFC 9112 section 7.1), piece by piece; keeps nothing of it but a line that has not ended. */
export interface ChunkedBody {
  /**
   * Reads on from `at` and calls back with the data of chunks. Returns where the body ended, or -1 where it goes on.
   * Throws `Unreadable`.
   */
  read(bytes: Buffer, at: number, data: (part: Buffer) => void): number;
}

function sizeOf(line: string): number {
  const [, digits = ''] = /^([0-9A-Fa-f]{1,12})[ \t]{0,64}(?:;.*)?$/.exec(line) ?? [];
  if (digits === '') throw new Unreadable('the size of a chunk is no number');
  return Number.parseInt(digits, 16);
}

/** A reader for one body. Trailers are read over: nothing of them is judged. */
export function createChunkedBody(): ChunkedBody {
  let state: 'size' | 'data' | 'after-data' | 'trailers' = 'size';
  let line = '';
  let left = 0;
  let trailerBytes = 0;

  /** What follows from a line that is whole; true where the body ends with it. */
  function onLine(): boolean {
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    if (state === 'size') {
      left = sizeOf(whole);
      state = left === 0 ? 'trailers' : 'data';
    } else if (state === 'after-data') {
      if (whole !== '') throw new Unreadable('a chunk is longer than it says');
      state = 'size';
    } else if (whole === '') return true;
    return false;
  }

  return {
    read(bytes, start, data) {
      for (let at = start; at < bytes.length; ) {
        if (state === 'data') {
          const part = bytes.subarray(at, at + left);
          at += part.length;
          left -= part.length;
          if (left === 0) state = 'after-data';
          data(part);
          continue;
        }
        const feed = bytes.indexOf(10, at);
        const end = feed < 0 ? bytes.length : feed;
        if (state === 'trailers') trailerBytes += end - at;
        if (line.length + end - at > longestSizeLine && state !== 'trailers')
          throw new Unreadable('the size of a chunk has no end');
        if (trailerBytes > longestHead) throw new Unreadable('the trailers of a body have no end');
        line += bytes.toString('latin1', at, end);
        at = end + 1;
        if (feed >= 0 && onLine()) return at;
      }
      return -1;
    },
  };
}
