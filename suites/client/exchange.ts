import type { Dispatcher } from 'undici';
import type { Reply, WireRequest } from '../protocol/reply.ts';
import type { Slot } from './mutex.ts';

/** What came back: status, headers, and the bytes as they were on the wire. */
export interface Exchanged {
  status: number;
  headers: Reply['headers'];
  bytes: Buffer;
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** So many milliseconds after its time a timer is late. */
const latest = 50;

/** The error of an answer that passed a bound; `how` completes "the answer …". */
export const tooLarge = (how: string): Error => coded('CONFORM_TOO_LARGE', `the answer ${how}`);

/** Longer answers, in bytes on the wire, are read one at a time. */
const longestLight = 262_144;

/** So many milliseconds does one that is read keep the others waiting at most. */
const longestTurn = 100;

/** Where a request goes, and the bounds of its answer. */
export interface ExchangeOptions {
  readonly via: Dispatcher;
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Long answers wait here for one another, so that as many as there are connections are never in memory together; waiting does not count as time. */
  readonly slot: Slot;
}

/** One request over one dispatcher, with one timer over the whole of it and a cap on the bytes it may bring. */
export function exchange(request: WireRequest, options: ExchangeOptions): Promise<Exchanged> {
  const { via, prefix, timeoutMs, maxBytes, slot } = options;
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
      // A timer that comes late was held up by this process: what the target said meanwhile has not been read yet.
      if (performance.now() - due > latest && !late) {
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
    via.dispatch(
      {
        method: request.method as Dispatcher.HttpMethod,
        path: `${prefix}${request.path}`,
        headers: request.headers,
        body: request.body ?? null,
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
          if (isLong || size <= longestLight) return;
          isLong = true;
          const goOn = (): void => {
            clearTimeout(timer);
            due = performance.now() + timeoutMs;
            timer = setTimeout(expire, timeoutMs);
            given.resume();
          };
          if (slot.take(goOn)) return;
          clearTimeout(timer);
          given.pause();
          // One that stalls does not keep the others: who waited this long goes on beside it.
          timer = setTimeout(() => {
            slot.leave();
            goOn();
          }, longestTurn);
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, headers, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}
