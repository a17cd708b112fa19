import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A server on a free loopback port. */
export interface Loopback {
  readonly url: URL;
  /** The number of connections opened so far. */
  connections(): number;
  /** Closes the server and all its connections. */
  close(): Promise<void>;
}

/**
 * Starts a server on a free port of the loopback interface. Ignores errors of its connections, because clients often
 * disconnect in tests.
 */
export async function onLoopback(server: Server, scheme = 'http'): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on('connection', socket => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${scheme}://127.0.0.1:${port}`),
    connections: () => opened,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/**
 * Called with the socket for each complete request head. Gets the number of the connection and that of the request on
 * it, both from 1.
 */
export type OnRequest = (socket: Socket, connection: number, request: number) => void;

/** Creates a server that sends raw bytes. */
export function bytesServer(onRequest: OnRequest): Server {
  let connections = 0;
  return createServer(socket => {
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
}
