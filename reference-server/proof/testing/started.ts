import { Agent, request } from 'undici';
import { afterAll } from 'vitest';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { ReferenceServer } from '../../emulator.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../../server.ts';

/** An answer as it came over the socket. */
export interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** What is sent; `body` is serialised unless it is a text or bytes. */
export interface Sending {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly key?: string | null;
}

/** A server that listens, and how to talk to it. */
export interface Started {
  readonly server: ReferenceServer;
  readonly url: string;
  readonly send: (path: string, sent?: Sending) => Promise<Received>;
  /** Calls an operation with a path parameter and a body. */
  readonly call: (id: EndpointId, param?: string, body?: unknown, query?: string) => Promise<Received>;
}

/** The time that the clock of the tests shows, in milliseconds since 1970. */
export const testTime = 1_760_000_000_000;

/** The path of an operation with its parameter filled in, encoded. */
export const pathOf = (id: EndpointId, param = ''): string =>
  endpoints[id].path.replace(/\{\w+\}/, () => encodeURIComponent(param));

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Starts a server on a free loopback port for the tests of one file, and stops it after them; for one test with
 * `onTestFinished`.
 */
export const started = async (
  options: ReferenceServerOptions = {},
  after: (stop: () => Promise<void>) => void = afterAll,
): Promise<Started> => {
  const server = createReferenceServer({ now: () => testTime, ...options });
  const { url } = await server.listen();
  // Files share a process, and a free port may be that of an earlier file: its connections are not those of this server.
  const dispatcher = new Agent();
  after(async () => {
    await server.close();
    await dispatcher.destroy();
  });
  const send = async (
    path: string,
    { method = 'GET', body, headers = {}, key = server.apiKey }: Sending = {},
  ): Promise<Received> => {
    const raw =
      typeof body === 'string' || body instanceof Uint8Array ? body : body === undefined ? null : JSON.stringify(body);
    const answer = await request(url + path, {
      dispatcher,
      method: method as 'GET',
      body: raw,
      headers: {
        ...(key !== null && { [server.naming.apiKeyHeader]: key }),
        ...(raw !== null && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, json: parse(text) };
  };
  const call: Started['call'] = (id, param, body, query = '') =>
    send(pathOf(id, param) + query, { method: endpoints[id].method, body });
  return { server, url, send, call };
};
