import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { tlsOf } from '../../client/connection.ts';
import type { Access } from '../../protocol/sut.ts';

/**
 * Carries bytes from one socket to another. Pauses reading while the writer cannot follow, so that only the socket
 * buffers fill. Writes the result of `pass` before `after` sees the bytes.
 */
export function carry(from: Socket, to: Socket, pass: (bytes: Buffer) => Buffer, after: (bytes: Buffer) => void): void {
  from.on('data', bytes => {
    const out = pass(bytes);
    if (out.length > 0 && to.writable && !to.write(out)) from.pause();
    after(bytes);
  });
  to.on('drain', () => from.resume());
  // The writer is gone: keep reading, otherwise the end of the stream would go unnoticed.
  to.on('close', () => from.resume());
}

/**
 * Ends a connection by a bare reset. Node's `resetAndDestroy` sends an orderly end first, which would make a cut body
 * look complete. A TLS connection cannot be reset on its own; it is destroyed.
 */
export function reset(socket: Socket): void {
  const isPlain = !(socket as Socket & { encrypted?: true }).encrypted;
  Object.assign(socket, isPlain ? { resetAndClosing: true } : {}).destroy();
}

/** Resets a connection after everything written to it has been sent. */
export function resetAfterwards(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.connecting || !socket.writable || socket.writableLength === 0) reset(socket);
  else socket.write(Buffer.alloc(0), () => reset(socket));
}

/** Returns the host of a URL in the form for sockets: an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Returns a function that opens connections to a target, by TLS if the URL says so. Authorities and certificate come
 * from the access. `isOpen`: the event by which such a socket reports that it is open.
 */
export function opening(target: URL, access: Pick<Access, 'tls'>): { open(): Socket; readonly isOpen: string } {
  const host = hostOf(target);
  const isPlain = target.protocol === 'http:';
  const options = { host, port: Number(target.port || (isPlain ? 80 : 443)), allowHalfOpen: true, noDelay: true };
  if (isPlain) return { open: () => connect(options), isOpen: 'connect' };
  // Both sides use HTTP/1.1, because the proxy's client was offered nothing else.
  const tls: ConnectionOptions = { ...options, ...tlsOf(access), ALPNProtocols: ['http/1.1'] };
  if (isIP(host) === 0) tls.servername = host;
  return { open: () => connectTls(tls).setNoDelay(true), isOpen: 'secureConnect' };
}
