import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';

/** One connection to the target, kept alive from request to request and opened again after it was closed. */
export interface Connection {
  readonly client: Client;
  /**
   * Notes where the connection stands before a request. The function that comes back tells, once the request has
   * failed, whether the connection closed in silence: it had carried answers before, and not a byte of this answer had
   * come.
   */
  mark(): () => boolean;
}

/** A connection to one origin, opened at the first request. Only the time of connecting is limited (milliseconds). */
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

/** Connections of a client that carry one request each at a time. */
export interface Pool {
  /** A free connection, or the next one to become free; who waits longest comes first. */
  take(): Connection | Promise<Connection>;
  give(connection: Connection): void;
}

/** A pool of connections that are free. */
export function createPool(connections: readonly Connection[]): Pool {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  return {
    // The one used last comes first, so that no more are opened than are needed at once.
    take: () => free.pop() ?? new Promise(resolve => waiting.push(resolve)),
    give(connection) {
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
    },
  };
}
