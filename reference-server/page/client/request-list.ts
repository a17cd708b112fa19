import type { LoggedRequest } from '../../log/request-log.ts';
import { counted, searchFor } from './text.ts';

/** A request as the page keeps it. A server that was started anew counts from one again, hence the time in its key. */
export interface Entry extends LoggedRequest {
  readonly key: string;
}

/** So many requests the page keeps, of which the server keeps the last 200. */
export const mostEntries = 1000;

const entryOf = (request: LoggedRequest): Entry => ({ ...request, key: `${request.number}-${request.time}` });

/** The requests that were known and those that came, each of them once, oldest first. */
export const withRequests = (known: readonly Entry[], come: readonly LoggedRequest[]): readonly Entry[] => {
  if (come.length === 0) return known;
  const fresh = new Map(come.map(request => [entryOf(request).key, entryOf(request)]));
  return [...known.filter(({ key }) => !fresh.has(key)), ...fresh.values()].slice(-mostEntries);
};

/** What of the requests is looked for. */
interface Wanted {
  /** Words, all of which stand somewhere in the request or its answer. */
  readonly text: string;
  /** `2xx`, `4xx`, `5xx`, `none`; the empty text is any. */
  readonly status: string;
  /** The id of an operation; the empty text is any. */
  readonly operation: string;
}

const textOf = ({ method, url, status, endpoint, headers, body, answer, refused, behaviours }: Entry): string =>
  JSON.stringify([method, url, status, endpoint, headers, body, answer, refused, behaviours]);

const hasStatus = (status: number | null, wanted: string): boolean =>
  wanted === '' || (wanted === 'none' ? status === null : status !== null && String(status)[0] === wanted[0]);

/** The requests that are looked for, newest first. */
export const matching = (entries: readonly Entry[], { text, status, operation }: Wanted): readonly Entry[] => {
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

/** So many characters of a body the log keeps. */
export const keptCharacters = 8192;

/** What of a request the log did not keep; undefined where it kept all. */
export const cutOf = ({ headers, body }: Pick<Entry, 'headers' | 'body'>): string | undefined => {
  const length = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  const sent = Number(length);
  const kept = new TextEncoder().encode(body).length;
  if (length !== undefined && Number.isSafeInteger(sent) && sent > kept && !body.includes('[redacted]'))
    return `The log keeps ${kept} of the ${sent} bytes of this body.`;
  // Of a body in chunks nobody told the length.
  return length === undefined && body.length >= keptCharacters
    ? 'The log may keep the beginning of this body alone.'
    : undefined;
};

/** The entry so many rows below another one, or above; the first where there is no other one. */
export const stepFrom = (found: readonly Entry[], key: string | undefined, by: number): Entry | undefined => {
  const at = found.findIndex(one => one.key === key);
  return at < 0 ? found[0] : found[Math.min(found.length - 1, Math.max(0, at + by))];
};

/** How many requests are shown of all there were: `the last 200 of 5,010 requests`. */
export const amountOf = (entries: readonly Entry[]): string => {
  const [first, all] = [entries.length, entries.at(-1)?.number ?? 0];
  return all > first ? `the last ${first} of ${all.toLocaleString('en')} requests` : counted(first, 'request');
};

/** How long a request took, in words. */
export const tookText = (took: number): string =>
  took < 1000 ? `${took < 10 ? took.toFixed(1) : Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`;

/** Who asked: the name of its program, as the program says it. */
export const clientOf = ({ headers }: Pick<Entry, 'headers'>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';

/** The behaviours that a request met, with what is left of the one that made the answer. */
export const metText = ({ behaviours, answeredBy }: Pick<Entry, 'behaviours' | 'answeredBy'>): string =>
  behaviours
    .map(id => (id === answeredBy?.behaviour && answeredBy.left !== null ? `${id}, ${answeredBy.left} left` : id))
    .join(', ');
