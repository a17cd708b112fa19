import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Reply, WireRequest } from '../protocol/reply.ts';
import type { Connection, Hold } from './connection.ts';
import { coded, tooLarge } from './failure.ts';

/** A place in the queue of a mutex. */
export interface Slot {
  /** True when the slot holds the mutex at once; otherwise `go` is called when it does. */
  take(go: () => void): boolean;
  /** Releases the mutex, or ends the waiting for it. Safe to call at any time, also without a `take`. */
  leave(): void;
}

/**
 * A mutex that one slot at a time holds, in the order of `take`; each call makes a new slot. The next one follows in a
 * later turn of the event loop, when what the one before it brought has been dealt with.
 */
export function createMutex(): () => Slot {
  let holder: Slot | null = null;
  const waiting = new Map<Slot, () => void>();
  function next(): void {
    const first = waiting.entries().next();
    if (holder !== null || first.done === true) return;
    const [slot, go] = first.value;
    waiting.delete(slot);
    holder = slot;
    go();
  }
  return () => {
    const slot: Slot = {
      take(go) {
        if (holder === null && waiting.size === 0) {
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

/** What came back: status, headers, and the bytes as they were on the wire. */
export interface Exchanged {
  status: number;
  headers: Reply['headers'];
  bytes: Buffer;
}

/** Bounds of an exchange. */
const bounds = {
  /** Milliseconds after its time from which on a timer counts as late. */
  late: 50,
  /** Longer answers, in bytes on the wire, are read one at a time. */
  light: 262_144,
  /** Milliseconds for which one that is read keeps the others waiting at most. */
  turn: 100,
} as const;

/** Where a request goes, and the bounds of its answer. */
interface ExchangeOptions {
  readonly via: Pick<Connection, 'client' | 'origin' | 'headers'>;
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Long answers wait here for one another, so that few are in memory together; waiting does not count as time. */
  readonly slot: Slot;
  /** Holds back its last byte: until it goes out, nothing counts as time. */
  readonly hold?: Hold | undefined;
}

/** A body in two pieces, of which the first may end within a character. */
function inPieces(body: string | Buffer): Readable {
  const bytes = Buffer.from(body);
  const middle = Math.ceil(bytes.length / 2);
  return Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)].filter(({ length }) => length > 0));
}

/** Sends one request, bounded in time and in the bytes of its answer. Rejects with an error of the transport. */
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
      // A late timer was held up by this process: what the target sent meanwhile has not been read yet.
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
        headers: via.headers === null ? request.headers : { ...request.headers, ...via.headers },
        body: request.chunked === true ? inPieces(request.body ?? '') : (request.body ?? null),
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
          // An answer that stalls does not block the others: whoever waited this long goes on beside it.
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
