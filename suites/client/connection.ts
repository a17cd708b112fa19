import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { present } from '../../contracts/present.ts';
import { deferred } from '../protocol/deferred.ts';
import type { Access } from '../protocol/sut.ts';
import { isOtherName, maxHeaderBytes, otherName } from './failure.ts';
import { proxyHeaders, tunnelThrough } from './proxy.ts';

/** Holds back the last byte of the request that a connection writes next. */
export interface Hold {
  /** Resolves when all but the last byte was handed to the connection. */
  readonly written: Promise<void>;
  /** Resolves when the last byte was sent, or is no longer held back. */
  readonly released: Promise<void>;
  /** Sends the last byte. Safe to call at any time, repeatedly. */
  release(): void;
}

/** A hold that follows its connection to a new socket. */
interface SocketHold extends Hold {
  /** Holds back writes to this socket from now on. Bytes kept for another socket are dropped. */
  attach(socket: Socket): void;
}

type Write = (chunk: Uint8Array | string, encoding?: unknown, callback?: unknown) => boolean;

/**
 * Returns a hold without a socket. The last byte of a request is in its head or its body. So the hold keeps the last
 * byte of each write, and sends it before the next write.
 */
function createHold(): SocketHold {
  const written = deferred();
  const released = deferred();
  let attached: { readonly socket: Socket; kept: Buffer } | null = null;
  let isOver = false;

  const detach = (): void => {
    // The own property shadows the method of the class.
    if (attached) Reflect.deleteProperty(attached.socket, 'write');
  };

  return {
    written: written.promise,
    released: released.promise,
    attach(socket) {
      if (isOver) return;
      detach();
      const state = { socket, kept: Buffer.alloc(0) };
      attached = state;
      const write = socket.write.bind(socket) as Write;
      const holding: Write = (chunk, encoding) => {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk);
        const all = Buffer.concat([state.kept, bytes]);
        state.kept = all.subarray(-1);
        // Head and body are written in one turn of the event loop.
        setImmediate(written.resolve);
        return write(all.subarray(0, -1));
      };
      Object.assign(socket, { write: holding });
    },
    release() {
      if (isOver) return;
      isOver = true;
      detach();
      const { socket, kept } = attached ?? {};
      attached = null;
      if (socket && kept && kept.length > 0 && socket.writable) socket.write(kept);
      written.resolve();
      released.resolve();
    },
  };
}

/** One connection to the target, kept alive between requests and reopened after it closed. */
export interface Connection {
  readonly client: Client;
  /** The prefix of each path: empty, or the target's origin if a proxy forwards the request. */
  readonly origin: string;
  /** Headers for the forwarding proxy, or null. They are not part of the request. */
  readonly headers: Readonly<Record<string, string>> | null;
  /**
   * Marks the state of the connection before a request. After a failure the returned function is true if no byte of an
   * answer came since over the same socket, which had carried answers before.
   */
  mark(): () => boolean;
  /** Holds back the last byte of the next request. */
  hold(): Hold;
}

/** Makes the connections of a client. */
type Connect = () => Connection;

/** Returns the TLS options. Made once for all connections, because reading the authorities takes milliseconds. */
export function tlsOf({ tls: { ca = [], cert, key } }: Pick<Access, 'tls'>): object {
  if (ca.length === 0 && cert === undefined) return {};
  const trusted = ca.length === 0 ? undefined : [...rootCertificates, ...ca];
  return { secureContext: createSecureContext(present({ ca: trusted, cert, key })) };
}

const direct: Access = { headers: {}, tls: {}, proxy: null };

/**
 * Returns a factory of connections to a target, each opened at its first request. Only connecting is limited in time
 * (milliseconds). Through a proxy, https uses `CONNECT` (RFC 9110 section 9.3.6), and plain http the absolute form (RFC
 * 9112 section 3.2.2).
 */
export function connectTo(target: URL, access: Access = direct, connectTimeoutMs: number): Connect {
  const { proxy } = access;
  const timing = { timeout: connectTimeoutMs };
  const direct = buildConnector({ ...timing, ...tlsOf(access) });
  const isForwarded = proxy !== null && target.protocol === 'http:';
  const viaProxy = buildConnector({ ...timing, ...tlsOf({ ...access, tls: { ca: access.tls.ca ?? [] } }) });
  const tunnelled = proxy ? tunnelThrough(proxy, viaProxy, direct, connectTimeoutMs) : direct;
  const [open, place] = isForwarded ? [viaProxy, proxy.origin] : [tunnelled, target.origin];
  const route = isForwarded
    ? { origin: target.origin, headers: { host: target.host, ...proxyHeaders(proxy) } }
    : { origin: '', headers: null };
  return () => {
    let current: Socket | undefined;
    let holding: SocketHold | undefined;
    const client = new Client(place, {
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes + 1,
      connect(options, callback) {
        open(options, (...outcome) => {
          if (!outcome[0]) {
            current = outcome[1];
            holding?.attach(current);
          } else if (isOtherName(outcome[0])) outcome[0] = otherName(outcome[0]);
          callback(...outcome);
        });
      },
    });
    return {
      client,
      ...route,
      mark() {
        const socket = current;
        const before = socket?.bytesRead ?? 0;
        // A different socket means that the request used a fresh connection.
        return () => socket === current && before > 0 && socket?.bytesRead === before;
      },
      hold() {
        const hold = createHold();
        holding = hold;
        if (current?.destroyed === false) hold.attach(current);
        return hold;
      },
    };
  };
}

/** Returns a pool of free connections. Each carries one request at a time. */
export function createPool(connections: readonly Connection[]) {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  // Last in, first out, so that no more connections are opened than needed at once.
  const take = (): Connection | Promise<Connection> => free.pop() ?? new Promise(resolve => waiting.push(resolve));
  return {
    /** Returns a free connection, or the next one to become free; the longest waiter comes first. */
    take,
    /** Takes `count` connections, at most as many as exist. Waits until the previous `takeAll` has all of its own. */
    takeAll(count: number): Promise<readonly Connection[]> {
      const taken = last.then(() => Promise.all(Array.from({ length: count }, take)));
      last = taken;
      return taken;
    },
    give(connection: Connection): void {
      const next = waiting.shift();
      if (!next) free.push(connection);
      else next(connection);
    },
  };
}
