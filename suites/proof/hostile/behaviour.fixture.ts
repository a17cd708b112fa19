import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import type { RunEnd } from '../../../contracts/report/journal.ts';
import { bytesServer, type OnRequest, onLoopback } from '../testing/loopback.ts';
import { longest } from '../testing/skip-waits.ts';

/** A target that misbehaves, listening. */
export interface Hostile {
  readonly url: URL;
  /** Requests that it saw so far. */
  requests(): number;
  /** Requests that came to another origin, to which it pointed. */
  strayed(): number;
  close(): Promise<void>;
}

/** One way to misbehave, and what a run makes of it. */
export interface Behaviour {
  /** Completes "a target that …". */
  readonly does: string;
  readonly outcome: RunEnd['outcome'];
  /** What the journal says somewhere. */
  readonly says: string;
  /** The most requests that a run of the quick profile spends on it. */
  readonly atMost: number;
  /**
   * Milliseconds that such a run waits for an answer: a moment where none ever comes, `patient` where something does.
   * `held` where some requests are answered and others never: the time limit of those alone runs out, see `heldLimits`.
   */
  readonly timeoutMs: number | 'held';
  /** Starts it. `hold` is called for each request that is never answered, where the time limit is `held`. */
  serve(hold?: () => void): Promise<Hostile>;
}

/** Milliseconds: whoever answers is given the time to do so, however busy the machine is. */
export const patient = longest;

/** The first byte of a connection that begins with TLS (RFC 8446 section 5.1). */
const tlsHandshake = 22;

/** What a row says of a behaviour, beside how it is served. */
export type Row = Omit<Behaviour, 'serve'>;

async function hostile(server: Server, requests: () => number): Promise<Hostile> {
  const { url, close } = await onLoopback(server);
  return { url, requests, strayed: () => 0, close };
}

/** Behaviour below HTTP: `onRequest` is called with the socket for each request. */
export const onTheWire = (row: Row, onRequest: OnRequest): Behaviour => ({
  ...row,
  serve() {
    let requests = 0;
    const server = bytesServer((...request) => {
      requests += 1;
      onRequest(...request);
    });
    // As servers without TLS do. A run would otherwise wait for the handshake of its last question, whether it is TLS.
    server.on('connection', socket => socket.once('data', ([first]) => first === tlsHandshake && socket.destroy()));
    return hostile(server, () => requests);
  },
});

/** Behaviour that is sound HTTP; every server gets a listener of its own. */
export const inAnswers = (row: Row, listenerFor: (hold: () => void) => RequestListener): Behaviour => ({
  ...row,
  serve(hold = () => {}) {
    let requests = 0;
    const listener = listenerFor(hold);
    const server = createServer((request, response) => {
      requests += 1;
      listener(request, response);
    });
    return hostile(server, () => requests);
  },
});

/**
 * Behaviour that points elsewhere: the listener is told the address of another origin, at which `welcome` waits for
 * whoever comes.
 */
export const pointingElsewhere = (
  row: Row,
  welcome: RequestListener,
  listenerFor: (elsewhere: URL) => RequestListener,
): Behaviour => ({
  ...row,
  async serve() {
    const other = await inAnswers(row, () => welcome).serve();
    const own = await inAnswers(row, () => listenerFor(other.url)).serve();
    return {
      url: own.url,
      requests: own.requests,
      strayed: other.requests,
      close: async () => void (await Promise.all([own.close(), other.close()])),
    };
  },
});
