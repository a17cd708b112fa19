import { faultPlace } from '../../../contracts/json-fault.ts';
import type { ObservedExchange } from '../exchange/exchange.ts';
import { isFilled } from '../exchange/headers.ts';
import { targetBelow } from '../exchange/paths.ts';
import { readHar } from './har-reader.ts';
import { readJournalExchanges } from './journal.ts';
import { BrokenRecording, type RecordedExchange } from './recorded.ts';

export { BrokenRecording, type RecordedExchange } from './recorded.ts';

/** How archives of ZIP and gzip begin, read as text. */
const packed = ['PK\u0003\u0004', '\u001f\uFFFD'];

/** Reads a recording, whatever it is: a HAR, or a journal of ours. Throws `BrokenRecording`. */
export function readRecording(file: string, given: string): readonly RecordedExchange[] {
  // A reader of HAR ignores the mark.
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  if (packed.some(beginning => text.startsWith(beginning)))
    throw new BrokenRecording(`${file} is packed; unpack it first`);
  if (text.trim() === '') throw new BrokenRecording(`${file} is empty; give a HAR or a journal.ndjson`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Several lines, each JSON: a journal.
    if (/^\s*\{.*\}\s*\n/.test(text)) return readJournalExchanges(file, text);
    throw new BrokenRecording(`${file} is no JSON: ${faultPlace(text)}`);
  }
  const isEvent = typeof (value as { event?: unknown } | null)?.event === 'string';
  return isEvent ? readJournalExchanges(file, text) : readHar(file, value);
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** The base URL of a request to the API; undefined for any other. */
function baseOf(url: string): string | undefined {
  const found = parsed(url);
  const at = found?.pathname.search(/\/console\/v\d+(\/|$)/i) ?? -1;
  return found === undefined || at < 0 ? undefined : `${found.origin}${found.pathname.slice(0, at)}`;
}

/** The base URLs of the servers of which a recording has traffic of the API, each once. */
export const basesOf = (recorded: readonly RecordedExchange[]): readonly string[] => [
  ...new Set(recorded.flatMap(({ url }) => baseOf(url) ?? [])),
];

/** An exchange of a recording, and why it is none of the API's where it is known to be none. */
export interface ReadExchange {
  readonly exchange: ObservedExchange;
  readonly aside: string | undefined;
}

/** Other servers of a recording, in words. */
export const otherServer = 'a request to another server';

/** Puts the exchanges of recordings in the order of their requests, and those of other servers aside. */
export function exchangesOf(recorded: readonly RecordedExchange[], baseUrl: string): readonly ReadExchange[] {
  const base = baseUrl.replace(/\/+$/, '');
  // Where a recording has no times, its order is all that is known.
  let last = 0;
  const timed = recorded.map((one, index) => {
    last = one.startedAtMs ?? last;
    return { one, index, began: last };
  });
  const ordered = timed.toSorted((a, b) => a.began - b.began || a.index - b.index);
  const first = ordered[0]?.began ?? 0;
  // Where every time is a whole second, the recorder cut them there.
  const coarseMs =
    recorded.length > 1 && recorded.every(({ startedAtMs = 0 }) => startedAtMs % 1_000 === 0) ? 1_000 : 1;
  return ordered.map(({ one, began }, place) => {
    const url = parsed(one.url);
    const target = url && targetBelow(url, base);
    const sentAtMs = began - first;
    return {
      aside: one.aside ?? (target === undefined ? otherServer : undefined),
      exchange: {
        number: place + 1,
        source: one.source,
        request: { method: one.method, target: target ?? one.url, headers: one.headers, body: one.body },
        response: one.response,
        sentAtMs,
        answeredAtMs: sentAtMs + one.durationMs,
        coarseMs,
      },
    };
  });
}

/**
 * True where some request of a recording has the key header, with something in it: one without it was then sent without
 * it. Of keys that are all empty the recorder may have taken out the values.
 */
export const showsKeys = (read: readonly ReadExchange[], header: string): boolean =>
  read.some(({ exchange, aside }) => aside === undefined && isFilled(exchange.request.headers, header));
