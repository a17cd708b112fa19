import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { onLoopback } from '../../proof/testing/loopback.ts';
import type { ExchangeSink, ObservedBody, ObservedExchange, Unknown } from '../exchange/exchange.ts';
import { type ProxyOptions, startProxy } from './proxy.ts';

/** A sink that keeps the exchanges, and resolves when a given number has arrived. */
export interface RecordingSink extends ExchangeSink {
  readonly seen: readonly ObservedExchange[];
  until(count: number): Promise<void>;
}

export function recordingSink(): RecordingSink {
  const seen: ObservedExchange[] = [];
  const waiting: (() => void)[] = [];
  return {
    seen,
    observe(exchange) {
      seen.push(exchange);
      for (const look of waiting) look();
    },
    until: count =>
      new Promise(resolve => {
        const look = (): void => (seen.length >= count ? resolve() : undefined);
        waiting.push(look);
        look();
      }),
  };
}

/** Returns the text of a kept body. */
export const bodyText = (body: ObservedBody | Unknown | null): string =>
  body === null || body === 'not recorded' ? String(body) : Buffer.from(body.bytes).toString('utf8');

/** One end of a raw connection: all bytes received, and a wait for more. */
export interface Speaker {
  readonly socket: Socket;
  text(): string;
  bytes(): Buffer;
  /** Resolves when enough bytes have arrived, or no more can arrive. */
  until(isEnough: (text: string) => boolean): Promise<string>;
  /** Resolves with how the connection ended. */
  ended(): Promise<'end' | 'reset'>;
}

export function speaker(socket: Socket): Speaker {
  const parts: Buffer[] = [];
  const looks = new Set<() => void>();
  let how: 'end' | 'reset' | null = null;
  const end = (as: 'end' | 'reset'): void => {
    how ??= as;
    for (const look of looks) look();
  };
  socket.on('data', part => {
    parts.push(part);
    for (const look of looks) look();
  });
  socket.on('error', () => end('reset'));
  socket.on('end', () => end('end'));
  socket.on('close', () => end('end'));
  const bytes = (): Buffer => Buffer.concat(parts);
  const text = (): string => bytes().toString('latin1');
  const when = (isSo: () => boolean): Promise<void> =>
    new Promise(resolve => {
      const look = (): void => {
        if (!isSo()) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  return {
    socket,
    bytes,
    text,
    async until(isEnough) {
      await when(() => how !== null || isEnough(text()));
      return text();
    },
    async ended() {
      await when(() => how !== null);
      return how ?? 'end';
    },
  };
}

/** A raw target: its connections, in order. */
export interface BytesTarget {
  readonly url: URL;
  connection(index: number): Promise<Speaker>;
  close(): Promise<void>;
}

/** Starts a loopback target that keeps all bytes and sends what a test tells it to. Closed after the test. */
export async function bytesTarget(onConnection: (speaker: Speaker) => void = () => {}): Promise<BytesTarget> {
  const speakers: Speaker[] = [];
  const looks: (() => void)[] = [];
  const server = createServer({ allowHalfOpen: true }, socket => {
    const one = speaker(socket);
    speakers.push(one);
    onConnection(one);
    for (const look of looks) look();
  });
  const { url, close } = await onLoopback(server);
  onTestFinished(close);
  return {
    url,
    close,
    connection: index =>
      new Promise(resolve => {
        const look = (): void => {
          const one = speakers[index];
          if (one !== undefined) resolve(one);
        };
        looks.push(look);
        look();
      }),
  };
}

/** Opens a raw connection. Closed after the test. */
export function dial({ hostname, port }: URL): Speaker {
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  return speaker(socket);
}

/** Starts a proxy before a target, with its exchanges and notices. Closed after the test. */
export async function proxyBefore(target: URL, options: Partial<ProxyOptions> = {}) {
  const sink = recordingSink();
  const notices: string[] = [];
  const proxy = await startProxy(
    { target, sink, notice: text => void notices.push(text), ...options },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(proxy.close);
  return { proxy, sink, notices, dial: () => dial(proxy.url) };
}
