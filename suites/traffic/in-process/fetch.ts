import { clip } from '../../../contracts/redaction/clip.ts';
import type { ObservedExchange, ObservedRequest } from '../exchange/exchange.ts';
import { type InProcessJudge, type Observer, observerOf } from './judge.ts';

type Fetch = typeof globalThis.fetch;
type Body = ObservedRequest['body'];
type Seen = ObservedExchange['response'];

/** The parts of a request taken before it is sent; the body may still have to be read. */
interface Taken extends Pick<ObservedRequest, 'method' | 'target' | 'headers'> {
  readonly body: Promise<Body>;
  /** The arguments for the real fetch. */
  readonly args: Parameters<Fetch>;
}

/** Reads a body to its end or to the size limit, and then cancels the stream. */
async function readBody(stream: ReadableStream<Uint8Array> | null, { room }: Observer): Promise<Body> {
  if (!stream) return null;
  const store = room.store();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      store.cut();
      return { done: true, value: undefined };
    });
    if (done || !value) break;
    if (store.add(Buffer.from(value.buffer, value.byteOffset, value.byteLength))) continue;
    void reader.cancel().catch(() => {});
    break;
  }
  // fetch has already undone the content codings.
  return store.take([]);
}

/**
 * Returns a body that can be read only once as a stream, made just as fetch makes it; null for any other body. Without
 * `duplex` fetch takes no such body but a stream, and leaves it unread.
 */
function streamOf({ body, ...init }: RequestInit = {}): ReadableStream<Uint8Array> | null {
  if (body instanceof ReadableStream) return body as ReadableStream<Uint8Array>;
  const isOnce = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  return isOnce && 'duplex' in init ? new Response(body).body : null;
}

/** Takes what is judged of a request. A stream body is split into two copies; everything else stays untouched. */
function take(args: Parameters<Fetch>, observer: Observer): Taken | undefined {
  const [input, init] = args;
  const target = observer.targetOf(input instanceof Request ? input.url : input);
  if (target === undefined) return undefined;
  const stream = streamOf(init);
  if (stream) {
    const { method, headers } = new Request(input, { ...init, body: null });
    const [own, theirs] = stream.tee();
    return {
      method: init?.method ?? method,
      target,
      headers: [...headers],
      body: readBody(own, observer),
      args: [input, { ...init, body: theirs }],
    };
  }
  const { signal: _signal, ...rest } = init ?? {};
  const copy = new Request(input instanceof Request ? input.clone() : input, rest);
  return { method: copy.method, target, headers: [...copy.headers], body: readBody(copy.body, observer), args };
}

/** Returns the observed answer. A fake that is no Response yields only the parts that it has. */
async function answerOf(response: Response, observer: Observer): Promise<Seen> {
  const { status, headers: given, redirected, bodyUsed } = response;
  if (redirected) return { failure: 'fetch followed a redirection, and does not show the first answer' };
  if (!(given instanceof Headers)) return { status, headers: 'not recorded', body: 'not recorded' };
  const headers = [...given];
  if (typeof response.clone !== 'function' || bodyUsed) return { status, headers, body: 'not recorded' };
  return { status, headers, body: await readBody(response.clone().body, observer) };
}

/**
 * Wraps a `fetch` and judges the exchanges below the base URL. Arguments and results pass unchanged, fake answers
 * included. Errors of the observation never reach the caller.
 */
export function judgedFetch(fetch: Fetch, judge: InProcessJudge): Fetch {
  const observer = observerOf(judge);

  function observe({ method, target, headers, body }: Taken, answered: Promise<Response>): void {
    const end = observer.begin();
    const response = answered.then(
      answer => answerOf(answer, observer),
      (error: Error): Seen => ({ failure: clip(String(error?.message ?? error), 160) }),
    );
    observer.wait(
      Promise.all([body, response]).then(([sent, got]) => end({ method, target, headers, body: sent }, got)),
    );
  }

  return (...args) => {
    let taken: Taken | undefined;
    try {
      taken = take(args, observer);
    } catch {
      // The real fetch refuses an unreadable request.
    }
    const answered = fetch(...(taken?.args ?? args));
    // A fake may return its answer instead of a promise.
    if (taken) observe(taken, Promise.resolve(answered));
    return answered;
  };
}
