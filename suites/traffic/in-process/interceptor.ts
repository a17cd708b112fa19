import type { Dispatcher } from 'undici';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { ObservedExchange, ObservedHeaders, Unknown } from '../exchange/exchange.ts';
import { type InProcessJudge, type Observer, observerOf } from './judge.ts';

type Options = Dispatcher.DispatchOptions;
type Handler = Dispatcher.DispatchHandler;

/** Headers in each of the forms that undici takes, as they would be sent. */
function headersOf(headers: Options['headers']): ObservedHeaders {
  if (headers == null) return [];
  if (Array.isArray(headers) && typeof headers[0] === 'string')
    return Array.from({ length: headers.length >> 1 }, (_, index) => [
      String(headers[2 * index]),
      String(headers[2 * index + 1]),
    ]);
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

/** The options to send with, and how the body is told once it has been sent. */
function tapped(
  options: Options,
  { room }: Observer,
): { options: Options; body: () => ObservedExchange['request']['body'] } {
  const { body } = options;
  const headers = headersOf(options.headers).map(([name, value]) => ({ name, value }));
  if (body == null) return { options, body: () => null };
  const store = room.store();
  if (typeof body === 'string' || body instanceof Uint8Array) {
    store.add(Buffer.from(body as string));
    return { options, body: () => store.take(headers) };
  }
  if (!(Symbol.asyncIterator in body)) return { options, body: (): Unknown => 'not recorded' };
  const source = body as AsyncIterable<Uint8Array | string>;
  async function* passing() {
    for await (const part of source) {
      store.add(Buffer.from(part as string));
      yield part;
    }
  }
  return { options: { ...options, body: passing() as never }, body: () => store.take(headers) };
}

/** Looks on while an answer comes; each call goes on to the handler that waits for it. */
function watching(
  handler: Handler,
  room: Observer['room'],
  end: (response: ObservedExchange['response']) => void,
): Handler {
  const store = room.store();
  let status = 0;
  let fields: { name: string; value: string }[] = [];
  let isOver = false;
  const over = (response: () => ObservedExchange['response']): void => {
    if (isOver) return;
    isOver = true;
    end(response());
  };
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade(...args) {
      const [, code] = args;
      over(() => ({ status: code, headers: 'not recorded', body: null }));
      handler.onRequestUpgrade?.(...args);
    },
    onResponseStart(...args) {
      const [, code, headers] = args;
      if (code >= 200) {
        status = code;
        fields = headersOf(headers as Options['headers']).map(([name, value]) => ({ name, value }));
      }
      handler.onResponseStart?.(...args);
    },
    onResponseData(...args) {
      store.add(args[1]);
      handler.onResponseData?.(...args);
    },
    onResponseEnd(...args) {
      over(() => ({ status, headers: fields.map(({ name, value }) => [name, value]), body: store.take(fields) }));
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
 * An interceptor for `compose` of undici (7 and later): what passes below the base URL is judged, and goes on as it is. A
 * body that is FormData is not known.
 */
export function judgedInterceptor(judge: InProcessJudge): Dispatcher.DispatcherComposeInterceptor {
  const observer = observerOf(judge);
  return dispatch => (given, handler) => {
    let target: string | null = null;
    try {
      target = observer.targetOf(urlOf(given));
    } catch {
      // undici itself refuses what is no URL.
    }
    if (target === null) return dispatch(given, handler);
    const { options, body } = tapped(given, observer);
    const number = observer.begin();
    const sentAtMs = observer.now();
    const { method } = given;
    const headers = headersOf(given.headers);
    const path = target;
    const end = (response: ObservedExchange['response']): void => {
      const request = { method, target: path, headers, body: body() };
      observer.hand({ number, request, response, sentAtMs, answeredAtMs: observer.now() });
    };
    return dispatch(options, watching(handler, observer.room, end));
  };
}
