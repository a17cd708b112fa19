import { clip } from '../../../contracts/redaction/clip.ts';
import type { ObservedBody, ObservedExchange, ObservedRequest, Unknown } from '../exchange/exchange.ts';
import { type InProcessJudge, type Observer, observerOf } from './judge.ts';

type Fetch = typeof globalThis.fetch;
type Body = ObservedBody | Unknown | null;

/** What is taken of a request before it is sent; its body may still have to be read. */
interface Taken extends Pick<ObservedRequest, 'method' | 'target' | 'headers'> {
  readonly body: Promise<Body>;
  /** What is handed to the real fetch. */
  readonly args: Parameters<Fetch>;
}

/** Reads a body to its end, or to the bound; then it lets go of it. */
async function readBody(stream: ReadableStream<Uint8Array> | null, { room }: Observer): Promise<Body> {
  if (stream === null) return null;
  const store = room.store();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      store.cut();
      return { done: true, value: undefined };
    });
    if (done || value === undefined) break;
    if (store.add(Buffer.from(value.buffer, value.byteOffset, value.byteLength))) continue;
    void reader.cancel().catch(() => {});
    break;
  }
  // The codings were undone by fetch.
  return store.take([]);
}

/** Takes what is needed of a request, and leaves it as it is but for a stream, of which two copies are made. */
function take(args: Parameters<Fetch>, observer: Observer): Taken | null {
  const [input, init] = args;
  const target = observer.targetOf(input instanceof Request ? input.url : input);
  if (target === null) return null;
  if (input instanceof Request && init === undefined) {
    const { method, headers } = input;
    return { method, target, headers: [...headers], body: readBody(input.clone().body, observer), args };
  }
  const { body } = init ?? {};
  if (body instanceof ReadableStream) {
    const [own, theirs] = body.tee();
    const { method, headers } = new Request(input, { ...init, body: null });
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

/** What an answer says; one that a test made up, and that is no Response, tells as much as it has. */
function answerOf(response: Response, observer: Observer): Promise<ObservedExchange['response']> {
  const { status, headers, redirected } = response;
  if (redirected)
    return Promise.resolve({ failure: 'fetch followed a redirection, and does not show the first answer' });
  const isWhole = typeof response.clone === 'function' && headers instanceof Headers && !response.bodyUsed;
  if (!isWhole) {
    const known = headers instanceof Headers ? [...headers] : ('not recorded' as const);
    return Promise.resolve({ status, headers: known, body: 'not recorded' });
  }
  const copy = response.clone();
  return readBody(copy.body, observer).then(body => ({ status, headers: [...headers], body }));
}

/**
 * A `fetch` that does what the given one does, and has what passes below the base URL judged. What it is given and what
 * it gives back stay as they are, answers that a test made up included; whatever goes wrong in looking on is kept from
 * the caller.
 */
export function judgedFetch(fetch: Fetch, judge: InProcessJudge): Fetch {
  const observer = observerOf(judge);

  function observe(taken: Taken, answered: Promise<Response>): void {
    const number = observer.begin();
    const sentAtMs = observer.now();
    const response = answered.then(
      answer => answerOf(answer, observer),
      (error: Error) => ({ failure: clip(String(error?.message ?? error), 160) }),
    );
    const work = Promise.all([taken.body, response]).then(([body, answer]) => {
      const { method, target, headers } = taken;
      const request = { method, target, headers, body };
      observer.hand({ number, request, response: answer, sentAtMs, answeredAtMs: observer.now() });
    });
    observer.wait(work);
  }

  return (...args) => {
    let taken: Taken | null = null;
    try {
      taken = take(args, observer);
    } catch {
      // What cannot be read is for the real fetch to refuse.
    }
    const answered = fetch(...(taken?.args ?? args));
    // A fake may give back its answer at once.
    if (taken !== null) observe(taken, Promise.resolve(answered));
    return answered;
  };
}
