import type { Socket } from 'node:net';

/** Holds back the last byte of the request that is written next to a connection. */
export interface Hold {
  /** Resolves when all of the request but its last byte was handed to the connection. */
  readonly written: Promise<void>;
  /** Resolves when the last byte was sent, or is not held back any more. */
  readonly released: Promise<void>;
  /** Sends the last byte. Safe to call at any time, and again. */
  release(): void;
}

/** A hold that follows its connection from socket to socket. */
export interface SocketHold extends Hold {
  /** Holds back what is written to this socket from now on; what another one got is that one's. */
  attach(socket: Socket): void;
}

/** A promise, and what resolves it. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>(given => {
    resolve = given;
  });
  return { promise, resolve: () => resolve() };
}

type Write = (chunk: Uint8Array | string, encoding?: unknown, callback?: unknown) => boolean;

/**
 * A hold that no socket has yet. A request without a body has its last byte in its head, one with a body in its body:
 * so what is held back is the last byte of whatever was written, and goes out before what is written next.
 */
export function createHold(): SocketHold {
  const written = deferred();
  const released = deferred();
  let attached: { readonly socket: Socket; kept: Buffer } | null = null;
  let isOver = false;

  const detach = (): void => {
    // The own property hides the method of the class.
    if (attached !== null) Reflect.deleteProperty(attached.socket, 'write');
  };

  return {
    written: written.promise,
    released: released.promise,
    attach(socket) {
      if (isOver) return;
      detach();
      const state = { socket, kept: Buffer.alloc(0) };
      attached = state;
      const write = socket.write.bind(socket) as Write;
      const holding: Write = (chunk, encoding) => {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk);
        const all = Buffer.concat([state.kept, bytes]);
        state.kept = all.subarray(-1);
        // Head and body are written in one turn of the event loop.
        setImmediate(written.resolve);
        return write(all.subarray(0, -1));
      };
      Object.assign(socket, { write: holding });
    },
    release() {
      if (isOver) return;
      isOver = true;
      detach();
      const { socket, kept } = attached ?? {};
      attached = null;
      if (socket !== undefined && kept !== undefined && kept.length > 0 && socket.writable) socket.write(kept);
      written.resolve();
      released.resolve();
    },
  };
}
