import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { perSecond, timed } from './measure.ts';

/** Requests as sent, and their average number in flight. */
interface Recording {
  readonly requests: readonly WireRequest[];
  readonly meanInFlight: number;
}

interface Created {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[] | string;
  readonly body: string | Buffer | null;
}

function headersOf(headers: readonly string[] | string): Record<string, string> {
  const list = typeof headers === 'string' ? headers.split(/\r\n|: /) : headers;
  const pairs = Array.from({ length: Math.floor(list.length / 2) }, (_, index) => [
    String(list[2 * index]),
    String(list[2 * index + 1]),
  ]);
  return Object.fromEntries(pairs);
}

/** Records what undici sends during some work. */
export async function recorded(work: () => Promise<void>): Promise<Recording> {
  const requests: WireRequest[] = [];
  let [inFlight, area, since] = [0, 0, performance.now()];
  const begun = since;
  const step = (by: number) => {
    const now = performance.now();
    area += inFlight * (now - since);
    since = now;
    inFlight += by;
  };
  const onCreate = (message: unknown) => {
    const { method, path, headers, body } = (message as { request: Created }).request;
    requests.push({ method, path, headers: headersOf(headers), body: body ?? undefined });
    step(1);
  };
  const onEnd = () => step(-1);
  subscribe('undici:request:create', onCreate);
  subscribe('undici:request:trailers', onEnd);
  subscribe('undici:request:error', onEnd);
  try {
    await work();
  } finally {
    unsubscribe('undici:request:create', onCreate);
    unsubscribe('undici:request:trailers', onEnd);
    unsubscribe('undici:request:error', onEnd);
  }
  return { requests, meanInFlight: area / (performance.now() - begun) };
}

/** The bare loop: sends requests in order, `atOnce` in flight, and parses the answers. Returns the answers by index. */
export async function replayed(
  origin: URL,
  requests: readonly WireRequest[],
  atOnce: number,
): Promise<readonly unknown[]> {
  const pool = new Pool(origin.origin, { connections: atOnce });
  const answers: unknown[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    while (next < requests.length) {
      const index = next;
      next += 1;
      const { method, path, headers, body } = requests[index] as WireRequest;
      const answer = await pool.request({ method: method as 'GET', path, headers, body: body ?? null });
      const text = await answer.body.text();
      answers[index] = text === '' ? null : JSON.parse(text);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
  await pool.close();
  return answers;
}

/** Returns a measurement of requests per second: at least `count`, cycling through these, `atOnce` in flight. */
export const speedOf =
  (origin: URL, requests: readonly WireRequest[], count: number, atOnce: number) => async (): Promise<number> => {
    const all = Array.from({ length: Math.ceil(count / requests.length) }, () => requests).flat();
    return perSecond(all.length, await timed(async () => void (await replayed(origin, all, atOnce))));
  };
