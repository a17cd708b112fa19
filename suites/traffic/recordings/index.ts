import { faultPlace } from '../../../contracts/json-fault.ts';
import { isFilled, type ObservedExchange } from '../exchange/exchange.ts';
import { targetBelow } from '../exchange/paths.ts';
import { readHar } from './har-reader.ts';
import { readJournalExchanges } from './journal.ts';
import { BrokenRecording, type RecordedExchange } from './recorded.ts';

export { BrokenRecording, type RecordedExchange } from './recorded.ts';

/** The first characters of ZIP and gzip archives, read as text. */
const packed = ['PK\u0003\u0004', '\u001f\uFFFD'];

/** Reads a recording: a HAR, or a journal of this suite. Throws `BrokenRecording`. */
export function readRecording(file: string, given: string): readonly RecordedExchange[] {
  // HAR readers ignore a byte order mark.
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  if (packed.some(beginning => text.startsWith(beginning)))
    throw new BrokenRecording(
      `${file} is packed: unpack it first; what run --record wrote is for diff alone, so record with proxy --record`,
    );
  if (text.trim() === '') throw new BrokenRecording(`${file} is empty; give a HAR or a journal.ndjson`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Several lines, each of JSON: a journal.
    if (/^\s*\{.*\}\s*\n/.test(text)) return readJournalExchanges(file, text);
    throw new BrokenRecording(`${file} is no JSON: ${faultPlace(text)}`);
  }
  const isEvent = typeof (value as { event?: unknown } | null)?.event === 'string';
  return isEvent ? readJournalExchanges(file, text) : readHar(file, value);
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** Returns the base URL of a request to the API; undefined for other requests. */
function baseOf(url: string): string | undefined {
  const found = parsed(url);
  const at = found?.pathname.search(/\/console\/v\d+(\/|$)/i) ?? -1;
  return !found || at < 0 ? undefined : `${found.origin}${found.pathname.slice(0, at)}`;
}

/** Returns the distinct base URLs of all requests to the API in a recording. */
export const basesOf = (recorded: readonly RecordedExchange[]): readonly string[] => [
  ...new Set(recorded.flatMap(({ url }) => baseOf(url) ?? [])),
];

/** An exchange of a recording; `aside` is why it does not belong to the API, if known. */
export interface ReadExchange {
  readonly exchange: ObservedExchange;
  readonly aside: string | undefined;
  readonly marksKeys: boolean;
}

/** The reason for requests to other servers. */
const otherServer = 'a request to another server';

/** Returns the exchanges in the order of their requests, and sets those of other servers aside. */
export function exchangesOf(recorded: readonly RecordedExchange[], baseUrl: string): readonly ReadExchange[] {
  const base = baseUrl.replace(/\/+$/, '');
  // If an exchange has no time, keep the order of the recording.
  let last = 0;
  const timed = recorded.map((one, index) => {
    last = one.startedAtMs ?? last;
    return { one, index, began: last };
  });
  const ordered = timed.toSorted((a, b) => a.began - b.began || a.index - b.index);
  const first = ordered[0]?.began ?? 0;
  // If all times are whole seconds, the recorder truncated them.
  const coarseMs =
    recorded.length > 1 && recorded.every(({ startedAtMs = 0 }) => startedAtMs % 1_000 === 0) ? 1_000 : 1;
  return ordered.map(({ one, began }, place) => {
    const url = parsed(one.url);
    const target = url && targetBelow(url, base);
    const sentAtMs = began - first;
    return {
      aside: one.aside ?? (target === undefined ? otherServer : undefined),
      marksKeys: one.marksKeys === true,
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
 * True if a request without a key in a recording had none: the recorder marks the keys that it removes, or some request
 * has a filled key header. If all are blank, the recorder may have removed the values.
 */
export const showsKeys = (read: readonly ReadExchange[], header: string): boolean =>
  read.every(({ marksKeys }) => marksKeys) ||
  read.some(({ exchange, aside }) => aside === undefined && isFilled(exchange.request.headers, header));
