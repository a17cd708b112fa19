import { type AddressInfo, createServer, type Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { failureOf, isOtherName, otherName } from '../../client/failure.ts';
import type { Access } from '../../protocol/sut.ts';
import type { ExchangeSink } from '../exchange/exchange.ts';
import { type BodyBounds, createBodyRoom } from './body-store.ts';
import { join } from './connection.ts';
import type { Observation } from './exchanges.ts';
import { opening } from './sockets.ts';

/**
 * Calls back once when, after something went on, nothing did for so many milliseconds. Before the first thing nobody
 * waits: what sends may be slow to start.
 */
function createIdleWatch(idleMs: number, onIdle: () => void) {
  let underWay = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Something begins (1), or is over (-1). */
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

/** Where a proxy passes what it gets on to, and who looks on. */
export interface ProxyOptions {
  /** The base URL of the target. */
  readonly target: URL;
  /** What TLS trusts and shows; absent: the usual authorities, and nothing. */
  readonly access?: Pick<Access, 'tls'>;
  readonly sink: ExchangeSink;
  /** Pass Host on as the client sent it. */
  readonly preserveHost?: boolean;
  /** Told in a line of what is passed on and cannot be judged. */
  readonly notice?: (text: string) => void;
  /** How much of bodies is kept for judging. */
  readonly bounds?: BodyBounds;
  /** Milliseconds without an exchange, after the first one, after which `onIdle` is called once. */
  readonly idleMs?: number;
  readonly onIdle?: () => void;
}

/** A proxy that listens. */
export interface RunningProxy {
  /** Its own address, with which a client reaches the target. */
  readonly url: URL;
  /** Exchanges whose request has begun. */
  exchanges(): number;
  /** Bytes of bodies that are kept now. */
  keptBytes(): number;
  /** Ends every connection; what waits for an answer is handed on without one. */
  close(): Promise<void>;
}

/** Where a proxy listens. Port 0 takes a free one. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** Has a server listen; returns its address. Rejects where it cannot. */
export async function listening(server: Server, { host, port }: Listening): Promise<URL> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  return new URL(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
}

/** Says of an error of a connection to a target why it cannot be reached. */
export const reachability =
  (target: URL) =>
  (error: Error): string =>
    `${target.origin} cannot be reached: ${failureOf(isOtherName(error) ? otherName(error) : error, 0).message}`;

/**
 * Starts a proxy before a target: it passes every byte on as it came, both ways, but for Host and the base path, and
 * hands each exchange that went through to a sink. It has no limits of time of its own, and nothing that either side
 * does ends it. Rejects where it cannot listen.
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
  // A connection that cannot be taken, as where files run out, is no reason to end.
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
