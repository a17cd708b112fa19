import type { Framing } from './framing.ts';
import { type Beginning, longestHead, Unreadable } from './head.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** Longest line that states the size of a chunk, with its extensions, in bytes. */
const longestSizeLine = 4_096;

function sizeOf(line: string): number {
  const [, digits = ''] = /^([0-9A-Fa-f]{1,12})[ \t]{0,64}(?:;.*)?$/.exec(line) ?? [];
  if (digits === '') throw new Unreadable('the size of a chunk is no number');
  return Number.parseInt(digits, 16);
}

/**
 * Reads one body in chunks (RFC 9112 section 7.1), piece by piece; keeps nothing of it but a line that has not ended.
 * Trailers are read over: nothing of them is judged. What it returns reads on from `at`, hands on the data of chunks, and
 * returns where the body ended, or -1 where it goes on. Throws `Unreadable`.
 */
function chunkedBody(data: (part: Buffer) => void): (bytes: Buffer, at: number) => number {
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

  return (bytes, start) => {
    for (let at = start; at < bytes.length; ) {
      if (state === 'data') {
        const part = bytes.subarray(at, at + left);
        at += part.length;
        left -= part.length;
        if (left === 0) state = 'after-data';
        data(part);
        continue;
      }
      const feed = bytes.indexOf(lineFeed, at);
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
  };
}

/** What a reader of messages tells, in the order of the bytes. */
export interface MessageEvents {
  /** The head of a message is whole. Returns how its body ends, or that no message follows any more. */
  head(bytes: Buffer): Framing | 'raw';
  /** Bytes of the body, transfer coding undone. */
  data(part: Buffer): void;
  end(): void;
  /** Bytes behind a head as they are on the wire. */
  wire?(bytes: Buffer): void;
  /** What comes from here on cannot be read. */
  unreadable(why: string): void;
}

const nothing = Buffer.alloc(0);

/** Holds the bytes of a head until it is whole. Throws `Unreadable` as soon as they cannot become one. */
function createHeadStore(beginning: Beginning) {
  let held: Buffer[] = [];
  let size = 0;
  /** The length of the line that has not ended, and whether it is a carriage return alone. */
  let line = 0;
  let isLone = false;
  /** What came of the first line; null once it has ended. */
  let firstLine: string | null = '';

  /** Looks at the first line as it comes. Empty lines before it are nothing (RFC 9112 section 2.2). */
  function look(text: string, isWhole: boolean): void {
    if (firstLine === null) return;
    firstLine += text;
    const whole = isWhole && firstLine.endsWith('\r') ? firstLine.slice(0, -1) : firstLine;
    if (whole === '' && isWhole) firstLine = '';
    if (whole === '' || (whole === '\r' && !isWhole)) return;
    if (!beginning(whole, isWhole)) throw new Unreadable('these bytes are not HTTP/1');
    if (isWhole) firstLine = null;
  }

  return {
    /** Gives up what is held. */
    take(): Buffer {
      const [first = nothing] = held;
      const all = held.length > 1 ? Buffer.concat(held) : first;
      held = [];
      size = 0;
      line = 0;
      isLone = false;
      firstLine = '';
      return all;
    },
    /** Returns where the head ends, or -1 where it goes on. */
    read(bytes: Buffer, start: number): number {
      for (let at = start; at < bytes.length; ) {
        const feed = bytes.indexOf(lineFeed, at);
        const end = feed < 0 ? bytes.length : feed;
        if (firstLine !== null) look(bytes.toString('latin1', at, Math.min(end, at + longestHead)), feed >= 0);
        isLone = line + end - at === 1 && (end > at ? bytes[at] === carriageReturn : isLone);
        line += end - at;
        at = feed < 0 ? end : feed + 1;
        if (size + at - start > longestHead) throw new Unreadable(`a head has more than ${longestHead / 1024} KiB`);
        if (feed < 0) break;
        const isEmptyLine = line === 0 || isLone;
        line = 0;
        isLone = false;
        if (isEmptyLine && firstLine === null) {
          held.push(bytes.subarray(start, at));
          return at;
        }
      }
      held.push(bytes.subarray(start));
      size += bytes.length - start;
      return -1;
    },
  };
}

/**
 * Reads one message of HTTP/1 after another, of those that begin so, out of bytes as they come. It never throws, and
 * never waits for anything.
 */
export function createMessageReader(beginning: Beginning, events: MessageEvents) {
  const store = createHeadStore(beginning);
  let framing: Framing | 'head' | 'raw' = 'head';
  let left = 0;
  let readChunks = chunkedBody(events.data);

  function begin(next: Framing | 'raw'): void {
    framing = next;
    if (next === 'raw') return;
    if (next.kind === 'length') left = next.bytes;
    if (next.kind === 'chunked') readChunks = chunkedBody(events.data);
    if (next.kind === 'none') finish();
  }

  function finish(): void {
    framing = 'head';
    events.end();
  }

  /** Reads a piece of a body; returns where it ends. */
  function body(bytes: Buffer, at: number, { kind }: Framing): number {
    if (kind === 'chunked') {
      const end = readChunks(bytes, at);
      const next = end < 0 ? bytes.length : end;
      events.wire?.(bytes.subarray(at, next));
      if (end >= 0) finish();
      return next;
    }
    const part = kind === 'length' ? bytes.subarray(at, at + left) : bytes.subarray(at);
    events.data(part);
    events.wire?.(part);
    if (kind === 'length') {
      left -= part.length;
      if (left === 0) finish();
    }
    return at + part.length;
  }

  /** Reads what comes next; returns where it ends. */
  function step(bytes: Buffer, at: number): number {
    if (framing === 'raw') {
      events.wire?.(bytes.subarray(at));
      return bytes.length;
    }
    if (framing !== 'head') return body(bytes, at, framing);
    const end = store.read(bytes, at);
    if (end < 0) return bytes.length;
    const head = store.take();
    try {
      begin(events.head(head));
      return end;
    } catch (error) {
      giveUp(error, head, bytes.subarray(end));
      return bytes.length;
    }
  }

  /** Passes on what was not passed yet, and reads nothing any more. */
  function giveUp(error: unknown, ...rest: readonly Buffer[]): void {
    framing = 'raw';
    events.unreadable(error instanceof Unreadable ? error.message : 'reading it failed');
    events.wire?.(Buffer.concat(rest));
  }

  return {
    read(bytes: Buffer): void {
      for (let at = 0; at < bytes.length; ) {
        try {
          at = step(bytes, at);
        } catch (error) {
          giveUp(error, store.take(), bytes.subarray(at));
          return;
        }
      }
    },
    /** From here on no message follows: the connection speaks something else. */
    stop(): void {
      framing = 'raw';
    },
    /** No byte follows any more: a body without a length ends here. */
    close(): void {
      const before = framing;
      framing = 'raw';
      if (typeof before === 'object' && before.kind === 'until-close') events.end();
    },
    /** Bytes of a head that is not whole yet, as they came. They are given up. */
    held: store.take,
  };
}
