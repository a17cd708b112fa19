import { connect } from 'node:tls';

/** Longest wait for a handshake, in milliseconds: what does not speak TLS may wait for more for ever. */
const longestHandshake = 3_000;

/**
 * Whether the port of a URL speaks TLS. Nothing is sent but the handshake, and no certificate is judged: this only tells
 * what to write into a base URL.
 */
export function speaksTls({ hostname, port }: URL, timeoutMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false });
    const end = (speaks: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(speaks);
    };
    const timer = setTimeout(end, Math.min(timeoutMs, longestHandshake), false);
    socket.once('secureConnect', () => end(true));
    socket.on('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
