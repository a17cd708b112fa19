import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { bytesServer, type Loopback, type OnRequest, onLoopback } from './loopback.ts';

/** A server on a free loopback port that ends with its test. */
export type Double = Omit<Loopback, 'close'>;

async function listening(server: Server, scheme?: string): Promise<Double> {
  const double = await onLoopback(server, scheme);
  onTestFinished(double.close);
  return double;
}

/** A server that sends raw bytes. */
export const bytesDouble = (onRequest: OnRequest): Promise<Double> => listening(bytesServer(onRequest));

/** A server that speaks HTTP through Node's own implementation. */
export const httpDouble = (listener: RequestListener): Promise<Double> => listening(createHttpServer(listener));

/** An HTTPS server of Node. */
export const httpsDouble = (options: ServerOptions, listener: RequestListener): Promise<Double> =>
  listening(createHttpsServer(options, listener), 'https');

/** The bytes of an answer with a JSON body. */
export const jsonBytes = (value: unknown, headers: readonly string[] = []): string => {
  const body = JSON.stringify(value);
  const head = ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  return `${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`;
};

/** Returns a loopback URL without a listener: its port has just been released. */
export async function closedPort(): Promise<URL> {
  const { url, close } = await onLoopback(createServer());
  await close();
  return url;
}
