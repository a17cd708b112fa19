import type { LoggedRequest } from '../../log/request-log.ts';
import { counted, searchFor } from './text.ts';

/**
 * A logged request with its key on the page. The key contains the time because a restarted server numbers from one
 * again.
 */
export interface Entry extends LoggedRequest {
  readonly key: string;
}

/** Maximum number of requests that the page keeps; the server keeps the last 200. */
export const mostEntries = 1000;

/** Merges known and new requests without duplicates, oldest first. */
export const withRequests = (known: readonly Entry[], come: readonly LoggedRequest[]): readonly Entry[] => {
  if (come.length === 0) return known;
  const fresh = new Map(
    come.map(request => {
      const key = `${request.number}-${request.time}`;
      return [key, { ...request, key }];
    }),
  );
  return [...known.filter(({ key }) => !fresh.has(key)), ...fresh.values()].slice(-mostEntries);
};

const textOf = ({ method, url, status, endpoint, headers, body, answer, refused, behaviours }: Entry): string =>
  JSON.stringify([method, url, status, endpoint, headers, body, answer, refused, behaviours]);

const hasStatus = (status: number | null, wanted: string): boolean =>
  wanted === '' || (wanted === 'none' ? status === null : status !== null && String(status)[0] === wanted[0]);

/**
 * Returns the requests that match a filter, newest first. `text`: words that must all occur in the request or its
 * answer; `status`: `2xx`, `4xx`, `5xx` or `none`; `operation`: an id. Each may be empty.
 */
export const matching = (
  entries: readonly Entry[],
  { text, status, operation }: Readonly<Record<'text' | 'status' | 'operation', string>>,
): readonly Entry[] => {
  const holds = searchFor(text);
  return entries
    .filter(
      entry =>
        hasStatus(entry.status, status) &&
        (operation === '' || entry.endpoint === operation) &&
        holds(() => textOf(entry)),
    )
    .toReversed();
};

/** Maximum number of characters of a body that the log keeps. */
export const keptCharacters = 8192;

/** Returns the value of a header by its name in lower case; undefined if it was not sent. */
const headerOf = (headers: Entry['headers'], wanted: string): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Says how much of a body the log dropped; undefined if nothing. */
export const cutOf = ({ headers, body }: Pick<Entry, 'headers' | 'body'>): string | undefined => {
  const length = headerOf(headers, 'content-length');
  const sent = Number(length);
  const kept = new TextEncoder().encode(body).length;
  if (length !== undefined && Number.isSafeInteger(sent) && sent > kept && !body.includes('[redacted]'))
    return `The log keeps ${kept} of the ${sent} bytes of this body.`;
  // A chunked body has no declared length.
  return length === undefined && body.length >= keptCharacters
    ? 'The log may keep the beginning of this body alone.'
    : undefined;
};

/** Returns the entry `by` rows below the given one (above if negative); the first if there is none. */
export const stepFrom = (found: readonly Entry[], key: string | undefined, by: number): Entry | undefined => {
  const at = found.findIndex(one => one.key === key);
  return at < 0 ? found[0] : found[Math.min(found.length - 1, Math.max(0, at + by))];
};

/** Returns how many requests are shown of the total: `the last 200 of 5,010 requests`. */
export const amountOf = (entries: readonly Entry[]): string => {
  const [first, all] = [entries.length, entries.at(-1)?.number ?? 0];
  return all > first ? `the last ${first} of ${all.toLocaleString('en')} requests` : counted(first, 'request');
};

/** Returns the duration of a request in words. */
export const tookText = (took: number): string =>
  took < 1000 ? `${took < 10 ? took.toFixed(1) : Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`;

/** Returns the user agent that sent a request. */
export const clientOf = ({ headers }: Pick<Entry, 'headers'>): string => headerOf(headers, 'user-agent') ?? '';

/** Lists the behaviours that a request met, with the uses left of the one that answered. */
export const metText = ({ behaviours, answeredBy }: Pick<Entry, 'behaviours' | 'answeredBy'>): string =>
  behaviours
    .map(id => (id === answeredBy?.behaviour && answeredBy.left !== null ? `${id}, ${answeredBy.left} left` : id))
    .join(', ');
