import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server made for one test: on a free loopback port, gone when the test is. */
export interface Double {
  readonly url: URL;
  /** Connections that were opened so far. */
  connections(): number;
}

async function listening(server: Server, scheme = 'http'): Promise<Double> {
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on('connection', socket => {
    opened += 1;
    sockets.add(socket);
    // A client that goes away is part of many tests.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`${scheme}://127.0.0.1:${port}`), connections: () => opened };
}

/**
 * A server that speaks bytes: `onRequest` is called with the socket each time a head of a request is complete, told the number of the connection and that of the
 * request on it, both from 1.
 */
export function bytesDouble(onRequest: (socket: Socket, connection: number, request: number) => void): Promise<Double> {
  let connections = 0;
  const server = createServer(socket => {
    connections += 1;
    const connection = connections;
    let requests = 0;
    let text = '';
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        text = text.slice(end + 4);
        requests += 1;
        onRequest(socket, connection, requests);
      }
    });
  });
  return listening(server);
}

/** A server that speaks HTTP through Node's own implementation. */
export const httpDouble = (listener: RequestListener): Promise<Double> => listening(createHttpServer(listener));

/** The bytes of an answer with a JSON body. */
export const jsonBytes = (value: unknown, headers: readonly string[] = []): string => {
  const body = JSON.stringify(value);
  const head = ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
  return `${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`;
};

/** A loopback URL at which nobody listens: a port that was just given back. */
export async function closedPort(): Promise<URL> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return new URL(`http://127.0.0.1:${port}`);
}
