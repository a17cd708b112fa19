import type { Dispatcher } from 'undici';
import { clip } from '../../../contracts/redaction/clip.ts';
import { type ObservedExchange, type ObservedHeaders, type ObservedRequest, pairsOf } from '../exchange/exchange.ts';
import { type InProcessJudge, type Observer, observerOf } from './judge.ts';

type Options = Dispatcher.DispatchOptions;
type Handler = Dispatcher.DispatchHandler;
type Seen = ObservedExchange['response'];

/** Returns headers as they would be sent, from any form that undici accepts. */
function headersOf(headers: Options['headers']): ObservedHeaders {
  if (headers == null) return [];
  if (Array.isArray(headers) && typeof headers[0] === 'string') return pairsOf(headers);
  const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, unknown]>)] : Object.entries(headers);
  return pairs.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [value].flat().map(one => [String(name), String(one)] as const),
  );
}

function urlOf({ origin, path, query }: Options): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of [value].flat()) given.append(name, String(one));
  return `${String(origin ?? '').replace(/\/$/, '')}${path}${given.size > 0 ? `?${given}` : ''}`;
}

/** Returns the options to send with, and a function that returns the body once it has been sent. */
function tapped(
  options: Options,
  headers: ObservedHeaders,
  { room }: Observer,
): { options: Options; bodyOf: () => ObservedRequest['body'] } {
  const { body } = options;
  if (body == null) return { options, bodyOf: () => null };
  const store = room.store();
  const bodyOf = () => store.take(headers);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    store.add(Buffer.from(body as string));
    return { options, bodyOf };
  }
  if (!(Symbol.asyncIterator in body)) return { options, bodyOf: () => 'not recorded' };
  const source = body as AsyncIterable<Uint8Array | string>;
  async function* passing() {
    for await (const part of source) {
      store.add(Buffer.from(part as string));
      yield part;
    }
  }
  return { options: { ...options, body: passing() as never }, bodyOf };
}

/** Wraps a handler to record the answer; every call passes on. */
function watching(handler: Handler, { room }: Observer, end: (response: Seen) => void): Handler {
  const store = room.store();
  let status = 0;
  let fields: ObservedHeaders = [];
  let isOver = false;
  const over = (response: () => Seen): void => {
    if (!isOver) end(response());
    isOver = true;
  };
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade(...args) {
      over(() => ({ status: args[1], headers: 'not recorded', body: null }));
      handler.onRequestUpgrade?.(...args);
    },
    onResponseStart(...args) {
      const [, code, headers] = args;
      if (code >= 200) {
        status = code;
        fields = headersOf(headers as Options['headers']);
      }
      handler.onResponseStart?.(...args);
    },
    onResponseData(...args) {
      store.add(args[1]);
      handler.onResponseData?.(...args);
    },
    onResponseEnd(...args) {
      over(() => ({ status, headers: fields, body: store.take(fields) }));
      handler.onResponseEnd?.(...args);
    },
    onResponseError(...args) {
      store.take([]);
      over(() => ({ failure: clip(args[1].message, 160) }));
      handler.onResponseError?.(...args);
    },
  };
}

/**
 * Returns an interceptor for `compose` of undici (7 and later). It judges exchanges below the base URL and passes them
 * on unchanged. FormData bodies are not recorded.
 */
export function judgedInterceptor(judge: InProcessJudge): Dispatcher.DispatcherComposeInterceptor {
  const observer = observerOf(judge);
  return dispatch => (given, handler) => {
    let target: string | undefined;
    try {
      target = observer.targetOf(urlOf(given));
    } catch {
      // undici itself refuses an invalid URL.
    }
    if (target === undefined) return dispatch(given, handler);
    const headers = headersOf(given.headers);
    const { options, bodyOf } = tapped(given, headers, observer);
    const end = observer.begin();
    const asked = { method: given.method, target, headers };
    return dispatch(
      options,
      watching(handler, observer, response => end({ ...asked, body: bodyOf() }, response)),
    );
  };
}
