import type { Connection, Hold } from './connection.ts';

/** One request of several that are completed at the same moment. */
export interface Companion {
  /** A connection for it, once all the others may be sent as well. */
  connection(): Promise<Connection>;
  /** It is written but for its last byte, which goes out with those of the others. */
  arrive(hold: Hold): void;
  /** It will not be written, or has ended: nobody waits for it. Safe to call at any time, and again. */
  leave(): void;
}

/** Those that are ready wait so long for the others, in milliseconds: a connection may be slow to open. */
const longestWait = 1_000;

/** Lets what was written arrive: so many turns of the event loop, and so many milliseconds. */
const arrival = { turns: 8, pause: 2 } as const;
async function arrived(): Promise<void> {
  for (let turn = 0; turn < arrival.turns; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
  await new Promise<void>(resolve => setTimeout(resolve, arrival.pause));
}

/**
 * The companions of one crowd, which complete their requests together: each takes its turn in the pace of the client,
 * then all take their connections, then all write, and when all but one byte of the last of them has arrived, the last
 * bytes go out in one turn of the event loop.
 * @param takeAll takes so many connections, without ever waiting for others that wait for more themselves.
 */
export function createCrowd(
  size: number,
  takeAll: (count: number) => Promise<readonly Connection[]>,
): readonly Companion[] {
  const waiting: ((connection: Connection) => void)[] = [];
  const holds: Hold[] = [];
  let unready = size;
  let unwritten = size;
  let timer: NodeJS.Timeout | undefined;

  const release = (): void => {
    clearTimeout(timer);
    for (const hold of holds) hold.release();
  };
  async function begin(): Promise<void> {
    const connections = await takeAll(waiting.length);
    if (unwritten > 0) timer = setTimeout(release, longestWait);
    for (const [index, connection] of connections.entries()) waiting[index]?.(connection);
  }
  const ready = (): void => {
    unready -= 1;
    if (unready === 0 && waiting.length > 0) void begin();
  };
  const write = (): void => {
    unwritten -= 1;
    if (unwritten === 0) void arrived().then(release);
  };

  return Array.from({ length: size }, () => {
    let isReady = false;
    let isWritten = false;
    const noteWritten = (): void => {
      if (!isWritten) write();
      isWritten = true;
    };
    return {
      connection: () =>
        new Promise(resolve => {
          isReady = true;
          waiting.push(resolve);
          ready();
        }),
      arrive(hold) {
        holds.push(hold);
        void hold.written.then(noteWritten);
      },
      leave() {
        if (!isReady) ready();
        isReady = true;
        noteWritten();
      },
    };
  });
}
