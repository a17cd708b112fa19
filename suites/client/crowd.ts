import type { Connection, Hold } from './connection.ts';

/** One of several requests that are completed at the same moment. */
export interface Companion {
  /** Resolves to a connection once all the others may be sent as well. */
  connection(): Promise<Connection>;
  /** Reports that the request is written except for its last byte, which goes out with the others. */
  arrive(hold: Hold): void;
  /**
   * Reports that the request has ended, or will not be written: the others do not wait. Safe to call at any time,
   * repeatedly.
   */
  leave(): void;
}

/** Maximum wait of ready requests for the others, in milliseconds: a connection may be slow to open. */
const longestWait = 1_000;

/** Time for written bytes to arrive: turns of the event loop, then milliseconds. */
const arrival = { turns: 8, pause: 2 } as const;
async function arrived(): Promise<void> {
  for (let turn = 0; turn < arrival.turns; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
  await new Promise<void>(resolve => setTimeout(resolve, arrival.pause));
}

/**
 * Returns the companions of one crowd. Each takes its turn in the client's pace; then all take connections and write.
 * When all but the last byte of each has arrived, the last bytes go out in one turn of the event loop.
 * @param takeAll takes several connections, and never waits for callers that wait for more themselves
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
