import { type AddressInfo, createServer, type Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { clip } from '../../../contracts/redaction/clip.ts';
import { failureOf, isOtherName, otherName } from '../../client/failure.ts';
import type { Access } from '../../protocol/sut.ts';
import type { ExchangeSink } from '../exchange/exchange.ts';
import { type BodyBounds, createBodyRoom } from './body-store.ts';
import { join } from './connection.ts';
import type { Observation } from './exchanges.ts';
import { opening } from './sockets.ts';

/**
 * Calls back once, after `idleMs` milliseconds without activity. Does not start before the first activity, because a
 * client may be slow to start.
 */
function createIdleWatch(idleMs: number, onIdle: () => void) {
  let underWay = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Counts an activity that begins (1) or ends (-1). */
    count(change: 1 | -1): void {
      underWay += change;
      clearTimeout(timer);
      if (underWay > 0 || isOver) return;
      timer = setTimeout(() => {
        isOver = true;
        onIdle();
      }, idleMs);
    },
    stop(): void {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** The target, the observer and the settings of a proxy. */
export interface ProxyOptions {
  /** The base URL of the target. */
  readonly target: URL;
  /** TLS settings for the target; absent: the usual authorities and no client certificate. */
  readonly access?: Pick<Access, 'tls'>;
  readonly sink: ExchangeSink;
  /** Pass Host on as the client sent it. */
  readonly preserveHost?: boolean;
  /** Called with one line for anything that is passed on but cannot be judged. */
  readonly notice?: (text: string) => void;
  /** Bounds on the body bytes kept for judging. */
  readonly bounds?: BodyBounds;
  /** `onIdle` is called once after this many milliseconds without an exchange, counted after the first one. */
  readonly idleMs?: number;
  readonly onIdle?: () => void;
}

/** A running proxy. */
export interface RunningProxy {
  /** The proxy's own address, for clients. */
  readonly url: URL;
  /** Returns the number of exchanges whose request has begun. */
  exchanges(): number;
  /** Returns the number of body bytes kept now. */
  keptBytes(): number;
  /** Ends every connection; open exchanges are handed on without an answer. */
  close(): Promise<void>;
}

/** The address on which a proxy listens. Port 0 takes a free one. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** Makes a server listen, and returns its address. Rejects if it cannot listen. */
export async function listening(server: Server, { host, port }: Listening): Promise<URL> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  return new URL(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
}

/** Returns a function that explains, from a connection error, why the target cannot be reached or gave no answer. */
export const reachability =
  ({ origin }: URL) =>
  (error: Error): string => {
    const { kind, message } = failureOf(isOtherName(error) ? otherName(error) : error, 0);
    if (kind === 'refused') return `${origin} cannot be reached: ${message}`;
    return `no complete answer came from ${origin}: ${kind === 'dropped' ? clip(error.message, 160) : message}`;
  };

/**
 * Starts a proxy that passes every byte on unchanged in both directions, except for Host and the base path. It hands
 * each exchange to a sink. It sets no time limits, and neither side can make it end. Rejects if it cannot listen.
 */
export async function startProxy(options: ProxyOptions, at: Listening): Promise<RunningProxy> {
  const { target, access = { tls: {} }, sink, preserveHost = false, notice = () => {}, idleMs, onIdle } = options;
  const room = createBodyRoom(options.bounds);
  const idle = idleMs === undefined ? undefined : createIdleWatch(idleMs, onIdle ?? (() => {}));
  const start = performance.now();
  const { open, isOpen } = opening(target, access);
  const rewriting = {
    host: preserveHost ? null : target.host,
    basePath: target.pathname.replace(/\/+$/, ''),
  };
  let exchanges = 0;
  let connections = 0;
  const joined = new Set<ReturnType<typeof join>>();
  const observation: Observation = {
    sink,
    room,
    notice,
    next: () => {
      exchanges += 1;
      return exchanges;
    },
    now: () => performance.now() - start,
    count: change => idle?.count(change),
  };
  const whyNot = reachability(target);

  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
    connections += 1;
    const onward = open();
    const source = `connection ${connections}`;
    const connection = join({ client, target: onward, isOpen, source, rewriting, observation, whyNot });
    joined.add(connection);
    let openSides = 2;
    for (const side of [client, onward])
      side.on('close', () => {
        openSides -= 1;
        if (openSides === 0) joined.delete(connection);
      });
  });
  const url = await listening(server, at);
  // Survive a connection that cannot be accepted, for example when file descriptors run out.
  server.on('error', error => notice(`a connection could not be taken: ${error.message}`));
  return {
    url,
    exchanges: () => exchanges,
    keptBytes: room.used,
    close: () =>
      new Promise(resolve => {
        idle?.stop();
        server.close(() => resolve());
        for (const connection of joined) connection.close('the proxy was stopped before the answer');
      }),
  };
}
