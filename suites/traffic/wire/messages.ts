import { type Beginning, type Framing, longestHead, Unreadable } from './head.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** Maximum length of a chunk size line with its extensions, in bytes. */
const longestSizeLine = 4_096;

function sizeOf(line: string): number {
  const [, digits = ''] = /^([0-9A-Fa-f]{1,12})[ \t]{0,64}(?:;.*)?$/.exec(line) ?? [];
  if (digits === '') throw new Unreadable('the size of a chunk is no number');
  return Number.parseInt(digits, 16);
}

/**
 * Returns a reader of one chunked body (RFC 9112 section 7.1) that keeps only an unfinished line. It reads on from `at`
 * and hands on the data of chunks, but skips trailers. It returns the index after the body, or -1 if the body goes on.
 * Throws `Unreadable`.
 */
function chunkedBody(data: (part: Buffer) => void): (bytes: Buffer, at: number) => number {
  let state: 'size' | 'data' | 'after-data' | 'trailers' = 'size';
  let line = '';
  let left = 0;
  let trailerBytes = 0;

  /** Handles a complete line; returns true if it ends the body. */
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

/** The events of a message reader, in the order of the bytes. */
interface MessageEvents {
  /** The head of a message is complete. Returns how its body ends, or 'raw' if no more messages follow. */
  head(bytes: Buffer): Framing | 'raw';
  /** Bytes of the body, with the transfer coding undone. */
  data(part: Buffer): void;
  end(): void;
  /** Bytes after a head, as they are on the wire. */
  wire?(bytes: Buffer): void;
  /** Everything from here on cannot be read. */
  unreadable(why: string): void;
}

const nothing = Buffer.alloc(0);

/** Holds the bytes of a head until it is complete. Throws `Unreadable` as soon as they cannot become one. */
function createHeadStore(beginning: Beginning) {
  let held: Buffer[] = [];
  let size = 0;
  /** The length of the unfinished line, and whether it is a lone carriage return. */
  let line = 0;
  let isLone = false;
  /** The first line so far; null once it has ended. */
  let firstLine: string | null = '';

  /** Checks the first line as it arrives. Skips empty lines before it (RFC 9112 section 2.2). */
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
    /** Returns and forgets the held bytes. */
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
    /** Returns the index after the head, or -1 if it goes on. */
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
 * Reads successive HTTP/1 messages from bytes as they arrive. Never throws and never waits. `beginning` recognises the
 * first line.
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

  /** Reads a part of a body; returns the index after it. */
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

  /** Reads the next part of a message; returns the index after it. */
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

  /** Passes on the remaining bytes, and stops reading. */
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
    /** Stops reading messages: the connection now speaks another protocol. */
    stop(): void {
      framing = 'raw';
    },
    /** Ends a body without a length, because the connection has ended. */
    close(): void {
      const before = framing;
      framing = 'raw';
      if (typeof before === 'object' && before.kind === 'until-close') events.end();
    },
    /** Returns and forgets the bytes of an unfinished head. */
    held: store.take,
  };
}
