import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';

/** One connection to the target, kept alive from request to request and opened again after it was closed. */
export interface Connection {
  readonly client: Client;
  /**
   * Notes where the connection stands before a request. The function that comes back tells, once the request has failed, whether that was no fault of an
   * answer: a connection that had carried answers before closed under this request, and not a single byte of an answer had come.
   */
  mark(): () => boolean;
}

/** A connection to one origin, opened at the first request. Time limits are the caller's business, but for connecting (milliseconds). */
export function createConnection(origin: string, connectTimeoutMs: number): Connection {
  const connect = buildConnector({ timeout: connectTimeoutMs });
  let current: Socket | undefined;
  const client = new Client(origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    connect(options, callback) {
      connect(options, (...outcome) => {
        if (outcome[0] === null) current = outcome[1];
        callback(...outcome);
      });
    },
  });
  return {
    client,
    mark() {
      const socket = current;
      const before = socket?.bytesRead ?? 0;
      // Another socket by then means that the request went over a fresh connection.
      return () => socket === current && before > 0 && socket?.bytesRead === before;
    },
  };
}
