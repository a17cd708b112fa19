import type { EndpointId } from '../../contracts/endpoints.ts';

/** One request, as `/_reference/requests` shows it. */
export interface LoggedRequest {
  /** Counts all requests since the server was made, from 1. */
  readonly number: number;
  /** Milliseconds since 1970, by the server's clock. */
  readonly time: number;
  readonly method: string;
  /** Path and query, cut at 1,024 characters. */
  readonly url: string;
  readonly endpoint: EndpointId | null;
  readonly status: number;
  /** The text of the body, cut at 2,048 characters; empty where there was none or it could not be read. */
  readonly body: string;
}

/**
 * The last requests, oldest first. The key is redacted: one of eight characters or more wherever it stands, a shorter
 * one where it is a whole value of a query or a whole text of JSON, for else it would riddle every name.
 */
export interface RequestLog {
  readonly add: (request: Omit<LoggedRequest, 'number'>) => void;
  readonly last: () => readonly LoggedRequest[];
}

const urlLimit = 1024;
const bodyLimit = 2048;
const redacted = '[redacted]';

/** A copy of the beginning of a text: a slice would keep the whole text in memory. */
const detached = (text: string, limit: number): string =>
  text.length <= limit ? text : Buffer.from(text.slice(0, limit)).toString();

/** A key of so many characters is no part of a name by chance. */
const longKey = 8;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Where the key could be written in a URL or in JSON. */
const patternOf = (apiKey: string): RegExp => {
  const spellings = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
  const written = [...new Set(spellings)].map(literal).join('|');
  return apiKey.length >= longKey ? new RegExp(written, 'g') : new RegExp(`(?<=["=])(?:${written})(?=["&]|$)`, 'g');
};

/** A log of the last `capacity` requests, without any of the keys. */
export const createRequestLog = (apiKey: string | readonly string[], capacity = 200): RequestLog => {
  const entries: LoggedRequest[] = [];
  const keys = [apiKey].flat().filter(key => key !== '');
  // A long key first: a shorter one may be a part of it.
  const patterns = keys.sort((a, b) => b.length - a.length).map(patternOf);
  // What is kept is longer than what is shown, so that a key that stands across the cut is still found whole.
  const margin = 6 * Math.max(0, ...keys.map(key => key.length)) + 1;
  const clean = (text: string, limit: number): string =>
    patterns.reduce((shown, pattern) => shown.replace(pattern, redacted), text).slice(0, limit);
  let count = 0;
  return {
    add: ({ time, method, url, endpoint, status, body }) => {
      const slot = count % capacity;
      const number = ++count;
      const shortUrl = detached(url, urlLimit + margin);
      entries[slot] = {
        number,
        time,
        method,
        url: shortUrl,
        endpoint,
        status,
        body: detached(body, bodyLimit + margin),
      };
    },
    last: () =>
      [...entries]
        .sort((a, b) => a.number - b.number)
        .map(entry => ({ ...entry, url: clean(entry.url, urlLimit), body: clean(entry.body, bodyLimit) })),
  };
};
