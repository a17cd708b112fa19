import { clip } from '../../../contracts/redaction/clip.ts';
import type { ObservedExchange, ObservedRequest } from '../exchange/exchange.ts';
import { type InProcessJudge, type Observer, observerOf } from './judge.ts';

type Fetch = typeof globalThis.fetch;
type Body = ObservedRequest['body'];
type Seen = ObservedExchange['response'];

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
function take(args: Parameters<Fetch>, observer: Observer): Taken | undefined {
  const [input, init] = args;
  const target = observer.targetOf(input instanceof Request ? input.url : input);
  if (target === undefined) return undefined;
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
async function answerOf(response: Response, observer: Observer): Promise<Seen> {
  const { status, headers: given, redirected, bodyUsed } = response;
  if (redirected) return { failure: 'fetch followed a redirection, and does not show the first answer' };
  if (!(given instanceof Headers)) return { status, headers: 'not recorded', body: 'not recorded' };
  const headers = [...given];
  if (typeof response.clone !== 'function' || bodyUsed) return { status, headers, body: 'not recorded' };
  return { status, headers, body: await readBody(response.clone().body, observer) };
}

/**
 * A `fetch` that does what the given one does, and has what passes below the base URL judged. What it is given and what
 * it gives back stay as they are, answers that a test made up included; whatever goes wrong in looking on is kept from
 * the caller.
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
      // What cannot be read is for the real fetch to refuse.
    }
    const answered = fetch(...(taken?.args ?? args));
    // A fake may give back its answer at once.
    if (taken !== undefined) observe(taken, Promise.resolve(answered));
    return answered;
  };
}
