import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { tlsOf } from '../../client/connection.ts';
import type { Access } from '../../protocol/sut.ts';

/**
 * Carries bytes as they come. The reader of them rests while the writer cannot follow, so that no more is held than
 * sockets hold. What `pass` returns goes out before `after` looks at the bytes.
 */
export function carry(from: Socket, to: Socket, pass: (bytes: Buffer) => Buffer, after: (bytes: Buffer) => void): void {
  from.on('data', bytes => {
    const out = pass(bytes);
    if (out.length > 0 && to.writable && !to.write(out)) from.pause();
    after(bytes);
  });
  to.on('drain', () => from.resume());
  // Nobody takes the bytes any more. What still comes has to be read, for its end to be seen.
  to.on('close', () => from.resume());
}

/**
 * Ends a connection by a reset and nothing before it. `resetAndDestroy` of Node says an orderly end first, which would
 * make a whole body of one that was cut. A TLS connection cannot be reset by itself; there this destroys.
 */
export function reset(socket: Socket): void {
  const isPlain = (socket as Socket & { encrypted?: true }).encrypted !== true;
  Object.assign(socket, isPlain ? { resetAndClosing: true } : {}).destroy();
}

/** Ends a connection by a reset, after all that was written to it has left. */
export function resetAfterwards(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.connecting || !socket.writable || socket.writableLength === 0) reset(socket);
  else socket.write(Buffer.alloc(0), () => reset(socket));
}

/** The host of a URL as a socket takes it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Opens connections to a target, by TLS where the URL says so, with the authorities and the certificate of the access.
 * `isOpen`: the event of such a socket that tells that it is open.
 */
export function opening(target: URL, access: Pick<Access, 'tls'>): { open(): Socket; readonly isOpen: string } {
  const host = hostOf(target);
  const isPlain = target.protocol === 'http:';
  const options = { host, port: Number(target.port || (isPlain ? 80 : 443)), allowHalfOpen: true, noDelay: true };
  if (isPlain) return { open: () => connect(options), isOpen: 'connect' };
  // Both sides speak HTTP/1.1: the client of the proxy was offered nothing else.
  const tls: ConnectionOptions = { ...options, ...tlsOf(access), ALPNProtocols: ['http/1.1'] };
  if (isIP(host) === 0) tls.servername = host;
  return { open: () => connectTls(tls).setNoDelay(true), isOpen: 'secureConnect' };
}
