import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { ReferenceServer } from '../reference-server/index.ts';
import { UsageError } from './input.ts';

/** Where to listen: at a port of a host, or at a Unix socket. */
interface Address {
  readonly port: number;
  readonly host: string;
  readonly unixSocket: string | undefined;
}

/** Takes away a socket that its server left behind: nobody answers at it. Tells whether it did. */
async function removedStale(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return false;
  const code = await new Promise<string | undefined>(resolve => {
    const socket = connect(path, () => resolve(undefined)).on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code),
    );
    socket.unref();
  });
  if (code !== 'ECONNREFUSED') return false;
  unlinkSync(path);
  return true;
}

/** The longest path of a socket that every system takes, in bytes. */
const longestSocket = 103;

/** Lets a server listen and returns its URL. Throws a `UsageError` where it cannot. */
export async function listenAt(server: ReferenceServer, { unixSocket, port, host }: Address): Promise<string> {
  const listen = async () =>
    (await (unixSocket === undefined ? server.listen(port, host) : server.listen({ path: unixSocket }))).url;
  // A longer name would be cut off, and the socket stand elsewhere.
  if (unixSocket !== undefined && Buffer.byteLength(unixSocket) > longestSocket)
    throw new UsageError(`--unix-socket takes a path of at most ${longestSocket} bytes`);
  try {
    return await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' || unixSocket === undefined) {
      if (code === 'EADDRINUSE') throw new UsageError(`port ${port} is taken; choose another with --port`);
      throw new UsageError(`cannot listen on ${unixSocket ?? `${host}:${port}`} (${code ?? message})`);
    }
    if (await removedStale(unixSocket)) return listen();
    throw new UsageError(`${unixSocket} is there already; choose another with --unix-socket`);
  }
}
