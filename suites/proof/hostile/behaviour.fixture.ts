import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import type { RunEnd } from '../../../contracts/report/journal.ts';
import { bytesServer, type OnRequest, onLoopback } from '../testing/loopback.ts';
import { patientServer } from '../testing/patient-server.ts';
import { longest } from '../testing/skip-waits.ts';

/** A misbehaving target that is listening. */
export interface Hostile {
  readonly url: URL;
  /** The number of requests received so far. */
  requests(): number;
  /** The number of requests to another origin to which it pointed. */
  strayed(): number;
  close(): Promise<void>;
}

/** One kind of misbehaviour, and the expected result of a run. */
export interface Behaviour {
  /** Completes "a target that …". */
  readonly does: string;
  readonly outcome: RunEnd['outcome'];
  /** A text that the journal must contain. */
  readonly says: string;
  /** The maximum number of requests that a run of the quick profile may send to it. */
  readonly atMost: number;
  /**
   * Time limit of the run in milliseconds: short if no answer ever comes, otherwise `patient`. `held`: the limit
   * expires only for the requests that are never answered, see `heldLimits`.
   */
  readonly timeoutMs: number | 'held';
  /** Starts the target. `hold` is called for each request that is never answered if the time limit is `held`. */
  serve(hold?: () => void): Promise<Hostile>;
}

/** Long enough for any answer on a busy machine, in milliseconds. */
export const patient = longest;

/** The first byte of a connection that begins with TLS (RFC 8446 section 5.1). */
const tlsHandshake = 22;

/** The properties of a behaviour except how it is served. */
export type Row = Omit<Behaviour, 'serve'>;

async function hostile(server: Server, requests: () => number): Promise<Hostile> {
  const { url, close } = await onLoopback(server);
  return { url, requests, strayed: () => 0, close };
}

/** Behaviour below HTTP; `onRequest` gets the socket of each request. */
export const onTheWire = (row: Row, onRequest: OnRequest): Behaviour => ({
  ...row,
  serve() {
    let requests = 0;
    const server = bytesServer((...request) => {
      requests += 1;
      onRequest(...request);
    });
    // Refuse TLS as plain servers do. Otherwise the run would wait for a handshake when it finally probes for TLS.
    server.on('connection', socket => socket.once('data', ([first]) => first === tlsHandshake && socket.destroy()));
    return hostile(server, () => requests);
  },
});

/** Behaviour in valid HTTP; every server gets its own listener. */
export const inAnswers = (row: Row, listenerFor: (hold: () => void) => RequestListener): Behaviour => ({
  ...row,
  serve(hold = () => {}) {
    let requests = 0;
    const listener = listenerFor(hold);
    // While the run judges megabytes, a connection is idle for longer than Node keeps one open.
    const server = createServer(patientServer, (request, response) => {
      requests += 1;
      listener(request, response);
    });
    return hostile(server, () => requests);
  },
});

/**
 * Behaviour that points to another origin. The listener gets its address; `welcome` answers the requests that arrive
 * there.
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
