import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Redaction } from './redaction.ts';
import { keptRefusal, type Refusal, refusalOf } from './refusals.ts';

/** A request in the log. */
export interface LoggedRequest {
  /** Its number in this world since the server started, from 1. */
  readonly number: number;
  /** Milliseconds since 1970, by the clock of the world. */
  readonly time: number;
  /** Duration in milliseconds. */
  readonly took: number;
  readonly method: string;
  /** Path and query, truncated to 1,024 characters. */
  readonly url: string;
  readonly endpoint: EndpointId | null;
  /** The name of the key that was sent; null if the server has no such key, as with a sandbox. */
  readonly keyName: string | null;
  /** Null if the connection was lost before an answer. */
  readonly status: number | null;
  /** Header fields with their original names; values are truncated to 512 characters, and credentials redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, truncated to 8,192 characters; empty if there was none or it could not be read. */
  readonly body: string;
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The text of the answer, truncated to 8,192 characters. */
  readonly answer: string;
  /** Why it was refused; null if it was not. */
  readonly refused: Refusal | null;
  /** The ids of the behaviours that it met. */
  readonly behaviours: readonly string[];
  /** The behaviour that made the answer, and how many more it makes (null: unlimited); null if none did. */
  readonly answeredBy: { readonly behaviour: string; readonly left: number | null } | null;
}

/** What the server reports to the log about a request. */
export interface Exchange extends Omit<LoggedRequest, 'number' | 'keyName' | 'headers' | 'answerHeaders' | 'refused'> {
  /** Alternating names and values, as in node:http. */
  readonly rawHeaders: readonly string[];
  readonly answerHeaders: Readonly<Record<string, unknown>>;
  /** The body of a refusal. */
  readonly refusal?: unknown;
}

/** A filter on logged requests; all given members must match. */
export interface LogFilter {
  readonly method?: string;
  /** A part of the path or query, as sent. */
  readonly path?: string;
  /** A status, or a class of them: `404`, `4xx`. */
  readonly status?: string | number;
  readonly endpoint?: EndpointId;
  /** Only requests with higher numbers. */
  readonly since?: number;
  /** Only the last `limit` matches. */
  readonly limit?: number;
}

/** A filter with limits for waiting. */
export interface Waiting extends LogFilter {
  /** Number of requests; 1 when absent. */
  readonly count?: number;
  /** Timeout in milliseconds; 10,000 when absent. */
  readonly timeout?: number;
}

/** The requests that matched, and whether there were enough. */
export interface Waited {
  readonly complete: boolean;
  readonly requests: readonly LoggedRequest[];
}

const limits = { url: 1024, body: 8192, header: 512, headers: 50 } as const;

/** Maximum total length of headers that are stored as they are; longer ones are truncated on arrival. */
const ordinaryHeaders = 8192;

const keptHeaders = (raw: readonly string[], { kept }: Redaction): readonly string[] => {
  let length = 0;
  for (const part of raw) length += part.length;
  if (length <= ordinaryHeaders && raw.length <= 2 * limits.headers) return raw;
  return raw.slice(0, 2 * limits.headers).map(part => kept(part, limits.header));
};

type Kept = Exchange & Pick<LoggedRequest, 'number'>;

const isOf = (status: number | null, wanted: string): boolean => {
  const written = String(status ?? 'none');
  return /^[1-5]xx$/i.test(wanted) ? written[0] === wanted[0] && written.length === 3 : written === wanted;
};

/** Returns a predicate for a filter. */
const matcherOf =
  ({ method, path, status, endpoint, since = 0 }: LogFilter) =>
  (request: Kept): boolean =>
    request.number > since &&
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || request.url.includes(path)) &&
    (endpoint === undefined || request.endpoint === endpoint) &&
    (status === undefined || isOf(request.status, String(status)));

const headersOf = (raw: readonly string[], { header, shown: redacted }: Redaction): Record<string, string> => {
  const shown: Record<string, string> = Object.create(null);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    const one = header(name, value, limits.header);
    const cut = redacted(name, limits.header);
    const before = shown[cut];
    shown[cut] = before === undefined ? one : `${before}, ${one}`.slice(0, limits.header);
  }
  return { ...shown };
};

const answerHeadersOf = ({ answerHeaders, answer }: Kept, { header }: Redaction): Record<string, string> => ({
  // That of an ordinary answer is written straight to the wire.
  ...(answer !== '' && { 'content-type': 'application/json; charset=utf-8' }),
  ...Object.fromEntries(
    Object.entries(answerHeaders).map(([name, value]) => [name, header(name, String(value), limits.header)]),
  ),
});

/** A refusal may quote the request, so its texts are redacted too. */
const shownRefusal = (refusal: Refusal | null, { shown }: Redaction): Refusal | null =>
  refusal && {
    ...refusal,
    message: shown(refusal.message, limits.body),
    errors: refusal.errors.map(({ property, errorMessage, ...rest }) => ({
      ...rest,
      property: shown(property, limits.body),
      errorMessage: shown(errorMessage, limits.body),
    })),
  };

/** Returns the values of the key header: several if it was sent repeatedly. */
const keysIn = (raw: readonly string[], keyHeader: string): readonly string[] =>
  raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === keyHeader);

/** Returns the name of a key; undefined if the server has no such key. */
export type NameOfKey = (key: string) => string | undefined;

/**
 * Creates a log of the last `capacity` requests to a world. They are only formatted and redacted when read. `keyHeader`
 * is the header that carries the key.
 */
export const createRequestLog = (redaction: Redaction, keyHeader: string, nameOfKey: NameOfKey, capacity = 200) => {
  let entries: Kept[] = [];
  let first = 0;
  let count = 0;
  const listeners = new Set<(request: LoggedRequest) => void>();
  const lowerKeyHeader = keyHeader.toLowerCase();

  const shown = (entry: Kept): LoggedRequest => {
    const { number, time, took, method, url, endpoint, status, rawHeaders, body, answer, behaviours, answeredBy } =
      entry;
    const [sent, ...more] = keysIn(rawHeaders, lowerKeyHeader);
    const key = sent === undefined ? 'absent' : sent === '' ? 'empty' : 'present';
    return {
      number,
      time,
      took,
      method,
      url: redaction.shown(url, limits.url),
      endpoint,
      keyName: (sent !== undefined && more.length === 0 && nameOfKey(sent)) || null,
      status,
      headers: headersOf(rawHeaders, redaction),
      body: redaction.shown(body, limits.body),
      answerHeaders: answerHeadersOf(entry, redaction),
      answer: redaction.shown(answer, limits.body),
      refused:
        status === null ? null : shownRefusal(refusalOf({ endpoint, status, body: entry.refusal, key }), redaction),
      behaviours,
      answeredBy,
    };
  };

  /** Returns the matching requests, oldest first. */
  const list = (filter: LogFilter = {}): readonly LoggedRequest[] => {
    const matches = matcherOf(filter);
    const found = entries.filter(matches).sort((one, other) => one.number - other.number);
    return (filter.limit === undefined ? found : found.slice(-filter.limit)).map(shown);
  };

  return {
    add(exchange: Exchange): void {
      const slot = (count - first) % capacity;
      count += 1;
      // Spelled out, because copying an object of varying shape takes ten times as long.
      const kept: Kept = {
        number: count,
        time: exchange.time,
        took: exchange.took,
        method: exchange.method,
        url: redaction.kept(exchange.url, limits.url),
        endpoint: exchange.endpoint,
        status: exchange.status,
        rawHeaders: keptHeaders(exchange.rawHeaders, redaction),
        body: redaction.kept(exchange.body, limits.body),
        answerHeaders: exchange.answerHeaders,
        answer: redaction.kept(exchange.answer, limits.body),
        refusal: exchange.refusal === undefined ? undefined : keptRefusal(exchange.refusal),
        behaviours: exchange.behaviours,
        answeredBy: exchange.answeredBy,
      };
      entries[slot] = kept;
      if (listeners.size === 0) return;
      const told = shown(kept);
      for (const listener of [...listeners]) listener(told);
    },
    list,
    /** Waits for requests after `since`, by default after the latest one. */
    wait: ({ count: wanted = 1, timeout = 10_000, since = count, ...others }: Waiting = {}): Promise<Waited> => {
      const filter = { ...others, since };
      const enough = (): Waited => {
        const requests = list(filter).slice(0, wanted);
        return { complete: requests.length >= wanted, requests };
      };
      const already = enough();
      if (already.complete || timeout <= 0) return Promise.resolve(already);
      return new Promise(resolve => {
        const end = (result: Waited): void => {
          clearTimeout(timer);
          listeners.delete(look);
          resolve(result);
        };
        const look = (): void => {
          const result = enough();
          if (result.complete) end(result);
        };
        const timer = setTimeout(() => end(enough()), timeout);
        listeners.add(look);
      });
    },
    /** Calls the listener for every new request. Returns a function that ends this. */
    subscribe(listener: (request: LoggedRequest) => void) {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
    clear(): void {
      entries = [];
      first = count;
    },
    /** Returns the number of the last request; 0 before the first. */
    last: () => count,
  };
};

/** The last requests to a world, oldest first. */
export interface RequestLog extends ReturnType<typeof createRequestLog> {}
