import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { present } from '../../contracts/present.ts';
import type { Access } from '../protocol/sut.ts';
import { isOtherName, maxHeaderBytes, otherName } from './failure.ts';
import { proxyHeaders, tunnelThrough } from './proxy.ts';

/** Holds back the last byte of the request that is written next to a connection. */
export interface Hold {
  /** Resolves when all of the request but its last byte was handed to the connection. */
  readonly written: Promise<void>;
  /** Resolves when the last byte was sent, or is not held back any more. */
  readonly released: Promise<void>;
  /** Sends the last byte. Safe to call at any time, and again. */
  release(): void;
}

/** A hold that follows its connection from socket to socket. */
interface SocketHold extends Hold {
  /** Holds back what is written to this socket from now on; what another one got is that one's. */
  attach(socket: Socket): void;
}

/** A promise, and what resolves it. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>(given => {
    resolve = given;
  });
  return { promise, resolve: () => resolve() };
}

type Write = (chunk: Uint8Array | string, encoding?: unknown, callback?: unknown) => boolean;

/**
 * A hold that no socket has yet. A request without a body has its last byte in its head, one with a body in its body:
 * so what is held back is the last byte of whatever was written, and goes out before what is written next.
 */
function createHold(): SocketHold {
  const written = deferred();
  const released = deferred();
  let attached: { readonly socket: Socket; kept: Buffer } | null = null;
  let isOver = false;

  const detach = (): void => {
    // The own property hides the method of the class.
    if (attached !== null) Reflect.deleteProperty(attached.socket, 'write');
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
      if (socket !== undefined && kept !== undefined && kept.length > 0 && socket.writable) socket.write(kept);
      written.resolve();
      released.resolve();
    },
  };
}

/** One connection to the target, kept alive from request to request and opened again after it was closed. */
export interface Connection {
  readonly client: Client;
  /** What stands before each path: empty, or the origin of the target where a proxy is asked for it. */
  readonly origin: string;
  /** Headers for the proxy that carries the request, or null. They are no part of the request. */
  readonly headers: Readonly<Record<string, string>> | null;
  /**
   * Notes where the connection stands before a request. The function that comes back tells, once the request has
   * failed, whether the connection closed in silence: it had carried answers before, and not a byte of this answer had
   * come.
   */
  mark(): () => boolean;
  /** Holds back the last byte of the request that is written next. */
  hold(): Hold;
}

/** Makes the connections of a client. */
type Connect = () => Connection;

/** What TLS trusts and shows. Made once for all connections: to read the authorities takes milliseconds. */
export function tlsOf({ tls: { ca = [], cert, key } }: Pick<Access, 'tls'>): object {
  if (ca.length === 0 && cert === undefined) return {};
  const trusted = ca.length === 0 ? undefined : [...rootCertificates, ...ca];
  return { secureContext: createSecureContext(present({ ca: trusted, cert, key })) };
}

/**
 * Returns what makes connections to a target, each opened at its first request. Only the time of connecting is limited
 * (milliseconds). Through a proxy, https goes by `CONNECT` (RFC 9110 section 9.3.6), and plain http is asked of the
 * proxy in absolute form (RFC 9112 section 3.2.2).
 */
export function connectTo(target: URL, access: Access, connectTimeoutMs: number): Connect {
  const { proxy } = access;
  const timing = { timeout: connectTimeoutMs };
  const direct = buildConnector({ ...timing, ...tlsOf(access) });
  const isForwarded = proxy !== null && target.protocol === 'http:';
  const viaProxy = buildConnector({ ...timing, ...tlsOf({ ...access, tls: { ca: access.tls.ca ?? [] } }) });
  const tunnelled = proxy === null ? direct : tunnelThrough(proxy, viaProxy, direct, connectTimeoutMs);
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
          if (outcome[0] === null) {
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
        // Another socket by then means that the request went over a fresh connection.
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

/** A pool of connections that are free. Each carries one request at a time. */
export function createPool(connections: readonly Connection[]) {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  // The one used last comes first, so that no more are opened than are needed at once.
  const take = (): Connection | Promise<Connection> => free.pop() ?? new Promise(resolve => waiting.push(resolve));
  return {
    /** A free connection, or the next one to become free; who waits longest comes first. */
    take,
    /** So many connections, no more than there are. One who takes several waits until the one before has all of his. */
    takeAll(count: number): Promise<readonly Connection[]> {
      const taken = last.then(() => Promise.all(Array.from({ length: count }, take)));
      last = taken;
      return taken;
    },
    give(connection: Connection): void {
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
    },
  };
}
