import type { Dispatcher } from 'undici';
import type { Failure, Reply, WireRequest } from '../protocol/reply.ts';
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

/** The error of an answer that passed a bound; `how` completes "the answer …". */
export const tooLarge = (how: string): Error => coded('CONFORM_TOO_LARGE', `the answer ${how}`);

/** Bounds of an exchange. */
const bounds = {
  /** Milliseconds after its time from which on a timer counts as late. */
  late: 50,
  /** Longer answers, in bytes on the wire, are read one at a time. */
  light: 262_144,
  /** Milliseconds for which one that is read keeps the others waiting at most. */
  turn: 100,
} as const;

/** The failure that an error of the transport stands for; `timeoutMs` is the bound that a timeout passed. */
export function failureOf(error: Error & { code?: string }, timeoutMs: number): Failure {
  const code = error.code ?? '';
  if (/^(CONFORM|UND_ERR_(CONNECT|HEADERS|BODY))_TIMEOUT$/.test(code)) {
    return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms` };
  }
  if (code === 'CONFORM_TOO_LARGE') return { kind: 'too-large', message: error.message };
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) {
    return { kind: 'refused', message: `no connection (${code})` };
  }
  if (error.name === 'HTTPParserError' || /^HPE_|^UND_ERR_(RESPONSE|HEADERS_OVERFLOW|RES_)/.test(code)) {
    return { kind: 'garbage', message: `the answer is not HTTP: ${error.message.slice(0, 160)}` };
  }
  return {
    kind: 'dropped',
    message: `the connection closed without an answer (${code || error.message.slice(0, 160)})`,
  };
}

/** Where a request goes, and the bounds of its answer. */
export interface ExchangeOptions {
  readonly via: Dispatcher;
  /** The path of the base URL. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Long answers wait here for one another, so that few are in memory together; waiting does not count as time. */
  readonly slot: Slot;
}

/** Sends one request, bounded in time and in the bytes of its answer. Rejects with an error of the transport. */
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
          if (isLong || size <= bounds.light) return;
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
          // An answer that stalls does not block the others: whoever waited this long goes on beside it.
          timer = setTimeout(() => {
            slot.leave();
            goOn();
          }, bounds.turn);
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
