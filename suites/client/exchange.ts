import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Reply, WireRequest } from '../protocol/reply.ts';
import type { Connection, Hold } from './connection.ts';
import type { Companion } from './crowd.ts';
import { coded, tooLarge } from './failure.ts';

/** A place in the queue of a mutex. */
export interface Slot {
  /** Returns true if the slot holds the mutex at once; otherwise `go` is called when it does. */
  take(go: () => void): boolean;
  /** Releases the mutex, or stops waiting for it. Safe to call at any time, even without `take`. */
  leave(): void;
}

/**
 * Returns a mutex; each call makes a new slot. Slots hold it one at a time, in the order of `take`. The next one
 * follows in a later turn of the event loop, after the previous result has been processed.
 */
export function createMutex(): () => Slot {
  let holder: Slot | null = null;
  const waiting = new Map<Slot, () => void>();
  function next(): void {
    const first = waiting.entries().next();
    if (holder || first.done) return;
    const [slot, go] = first.value;
    waiting.delete(slot);
    holder = slot;
    go();
  }
  return () => {
    const slot: Slot = {
      take(go) {
        if (!holder && waiting.size === 0) {
          holder = slot;
          return true;
        }
        waiting.set(slot, go);
        return false;
      },
      leave() {
        waiting.delete(slot);
        if (holder !== slot) return;
        holder = null;
        setImmediate(next);
      },
    };
    return slot;
  };
}

/** The raw answer: status, headers, and the bytes as on the wire. */
export interface Exchanged {
  status: number;
  headers: Reply['headers'];
  bytes: Buffer;
}

/** Limits of an exchange. */
const bounds = {
  /** Milliseconds after which a timer counts as late. */
  late: 50,
  /** Longer answers, in bytes on the wire, are read one at a time. */
  light: 262_144,
  /** Maximum time, in milliseconds, for which reading one answer keeps the others waiting. */
  turn: 100,
} as const;

/** The target of a request, and the limits of its answer. */
interface ExchangeOptions {
  readonly via: Pick<Connection, 'client' | 'origin' | 'headers'>;
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Long answers wait here for one another, so that few are in memory together; the wait does not count as time. */
  readonly slot: Slot;
  /** Holds back the last byte; time counts from its release. */
  readonly hold?: Hold | undefined;
}

/** Returns a body in two pieces, the first of which may end within a character. */
function inPieces(body: string | Buffer): Readable {
  const bytes = Buffer.from(body);
  const middle = Math.ceil(bytes.length / 2);
  return Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)].filter(({ length }) => length > 0));
}

/** Sends one request, bounded in time and in the bytes of its answer. Rejects with a transport error. */
export function exchange(request: WireRequest, options: ExchangeOptions): Promise<Exchanged> {
  const { via, prefix, timeoutMs, maxBytes, slot, hold } = options;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Reply['headers'] = {};
    let size = 0;
    let expired = false;
    const chunks: Buffer[] = [];
    let due = performance.now() + timeoutMs;
    let isLong = false;
    const expire = (): void => {
      // A late timer means that this process was busy: what the target sent meanwhile is still unread.
      if (performance.now() - due > bounds.late && !late) {
        late = true;
        timer = setTimeout(expire, timeoutMs);
        return;
      }
      expired = true;
      const error = coded('CONFORM_TIMEOUT', 'timeout');
      controller?.abort(error);
      reject(error);
    };
    let late = false;
    let timer = setTimeout(expire, timeoutMs);
    const restart = (): void => {
      clearTimeout(timer);
      due = performance.now() + timeoutMs;
      timer = setTimeout(expire, timeoutMs);
    };
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
      clearTimeout(timer);
    };
    void hold?.released.then(() => {
      if (!hasEnded && !expired) restart();
    });
    via.client.dispatch(
      {
        method: request.method as Dispatcher.HttpMethod,
        path: `${via.origin}${prefix}${request.path}`,
        headers: via.headers ? { ...request.headers, ...via.headers } : request.headers,
        body: request.chunked ? inPieces(request.body ?? '') : (request.body ?? null),
      },
      {
        onRequestStart(given) {
          controller = given;
          if (expired) given.abort(coded('CONFORM_TIMEOUT', 'timeout'));
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          if (statusCode < 200) return;
          status = statusCode;
          headers = responseHeaders;
        },
        onResponseData(given, chunk) {
          size += chunk.length;
          if (size > maxBytes) {
            given.abort(tooLarge(`is longer than ${maxBytes} bytes`));
            return;
          }
          chunks.push(chunk);
          if (isLong || size <= bounds.light) return;
          isLong = true;
          const goOn = (): void => {
            restart();
            given.resume();
          };
          if (slot.take(goOn)) return;
          clearTimeout(timer);
          given.pause();
          // A stalled answer must not block the others: after this wait they continue beside it.
          timer = setTimeout(() => {
            slot.leave();
            goOn();
          }, bounds.turn);
        },
        onResponseEnd() {
          end();
          resolve({ status, headers, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
        },
        onResponseError(_controller, error) {
          end();
          reject(error);
        },
      },
    );
  });
}

interface TransmissionOptions {
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** What concerns one request on its way. */
export interface Way {
  readonly slot: Slot;
  readonly companion?: Companion | undefined;
  /** Called when an attempt goes on the wire: from then on the target may have carried it out. */
  readonly begun?: (() => void) | undefined;
}

/** Options for repeating a request that may have been carried out (RFC 9110 section 9.2.2). */
export interface Repetition {
  /** Builds the request anew, so that two identical ones do not conflict. Absent: the same is sent. */
  readonly anew?: () => WireRequest;
  /**
   * A one-shot request: sent over a fresh connection, which cannot close before it arrives. It is repeated only where it
   * was put off or never arrived.
   */
  readonly once?: boolean;
  /** Completes the request together with others. Repetitions go alone. */
  readonly companion?: Companion | undefined;
  /** Called when an attempt goes on the wire, see `Way`. */
  readonly begun?: Way['begun'];
}

/** Puts the requests of a client on the wire, over connections that are kept alive or fresh, and counts them. */
export function createTransmission(connect: () => Connection, options: TransmissionOptions) {
  const counts = { sent: 0, closed: 0 };

  /** Sends a request over a connection of its own. */
  async function overFresh(request: WireRequest, { slot, begun }: Way): Promise<Exchanged> {
    const fresh = connect();
    counts.sent += 1;
    try {
      begun?.();
      return await exchange(request, { ...options, slot, via: fresh });
    } finally {
      void fresh.client.destroy();
    }
  }

  return {
    counts,
    overFresh,
    /**
     * Sends a request over a connection that is kept alive. If it closes before the first byte of the answer, sends it
     * once more over a fresh one, made anew.
     */
    async over(via: Connection, request: WireRequest, again: () => WireRequest, way: Way): Promise<Exchanged> {
      const { slot, companion, begun } = way;
      counts.sent += 1;
      begun?.();
      const closedInSilence = via.mark();
      const hold = companion ? via.hold() : undefined;
      if (hold) companion?.arrive(hold);
      try {
        return await exchange(request, { ...options, slot, via, hold });
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (!/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) || !closedInSilence()) throw error;
        counts.closed += 1;
        companion?.leave();
        return await overFresh(again(), way);
      } finally {
        hold?.release();
      }
    },
  };
}
