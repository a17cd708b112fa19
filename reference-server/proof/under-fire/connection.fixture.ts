import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parsedAnswer, type RawAnswer } from './answers.fixture.ts';

/** A connection that carries bytes as they are, and cuts what comes back into answers. */
export interface Connection {
  /** Writes bytes; does nothing where the peer has closed. */
  readonly write: (bytes: string | Buffer) => void;
  /** Resolves with the next answer to a request of this method; with undefined when the connection closes before it. */
  readonly answer: (method: string) => Promise<RawAnswer | undefined>;
  /** Closes this side, and resolves when the peer has closed too. */
  readonly end: () => Promise<void>;
  /** Resets the connection, as the system does for a client that dies, once all written bytes are handed over. */
  readonly reset: () => Promise<void>;
  /** Resolves when the connection is closed, with all that came after the last answer that was asked for. */
  readonly closed: Promise<Buffer>;
  readonly socket: Socket;
}

/** Opens a connection to the loopback interface. */
export const opened = async (port: number): Promise<Connection> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  let held: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let wake = (): void => undefined;
  const change = (): Promise<void> =>
    new Promise(resolve => {
      wake = resolve;
    });
  socket.on('data', chunk => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    wake();
  });
  const closed = new Promise<Buffer>(resolve =>
    socket.on('close', () => {
      isClosed = true;
      wake();
      resolve(held);
    }),
  );
  const answer = async (method: string): Promise<RawAnswer | undefined> => {
    for (;;) {
      const parsed = parsedAnswer(held, method);
      if (parsed !== undefined) {
        held = held.subarray(parsed.length);
        return parsed.answer;
      }
      if (isClosed) return undefined;
      await change();
    }
  };
  return {
    write: bytes => void (socket.writable && socket.write(bytes)),
    answer,
    end: async () => {
      if (!isClosed) socket.end();
      await closed;
    },
    reset: async () => {
      if (socket.writableLength > 0 && !isClosed) await Promise.race([once(socket, 'drain'), closed]);
      socket.resetAndDestroy();
      await closed;
    },
    closed,
    socket,
  };
};
