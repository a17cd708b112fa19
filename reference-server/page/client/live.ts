import { parsedJson } from '../../../contracts/json.ts';
import type { LoggedRequest } from '../../log/request-log.ts';
import { asRefusal, type ControlApi, type ControlRefusal } from './control-api.ts';

/**
 * Maximum length of a message in characters. Requests of the log are shorter, because the log truncates all their
 * parts.
 */
const longest = 4 * 1024 * 1024;

/** Reads the data of server-sent events from pieces of a stream (HTML Living Standard, section 9.2). */
export const eventReader = (listener: (data: string) => void): ((piece: string) => void) => {
  let rest = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) listener(data.join('\n'));
      data = [];
    } else if (text.startsWith('data:')) data.push(text.slice(text.startsWith('data: ') ? 6 : 5));
  };
  return piece => {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > longest) rest = '';
    for (const one of lines) line(one);
  };
};

/** Milliseconds for which requests are batched, and milliseconds before a lost stream is reopened. */
const together = 100;
const again = 1500;

/**
 * Follows the requests of a world while the page is visible, across lost connections and server restarts. Returns a
 * function that stops it.
 */
export const followRequests = (
  api: ControlApi,
  {
    requests,
    state,
  }: {
    /** Called with new requests, oldest first; some may be known already. */
    requests: (requests: readonly LoggedRequest[]) => void;
    /** Called with undefined once the stream is live; otherwise with the reason why it is not. */
    state: (refusal: ControlRefusal | undefined) => void;
  },
): (() => void) => {
  let ended = false;
  let current: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told: ReturnType<typeof setTimeout> | undefined;
  let waiting: LoggedRequest[] = [];

  const tell = (): void => {
    told = undefined;
    const come = waiting;
    waiting = [];
    requests(come);
  };
  const add = (data: string): void => {
    const request = parsedJson(data);
    if (request === undefined) return;
    waiting.push(request as unknown as LoggedRequest);
    told ??= setTimeout(tell, together);
  };

  const follow = async ({ signal }: AbortController): Promise<void> => {
    const { requests: kept } = await api.get<{ requests: readonly LoggedRequest[] }>('/requests?limit=200', signal);
    // The page may show another world by now.
    if (signal.aborted) return;
    requests(kept);
    const reader = (await api.stream(`/requests/stream?since=${kept.at(-1)?.number ?? 0}`, signal)).getReader();
    state(undefined);
    const decoder = new TextDecoder();
    const read = eventReader(add);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      read(decoder.decode(piece.value, { stream: true }));
  };

  const begin = async (): Promise<void> => {
    clearTimeout(timer);
    current?.abort();
    if (ended || document.hidden) return;
    const own = new AbortController();
    current = own;
    const why = await follow(own).then(() => undefined, asRefusal);
    if (own.signal.aborted || ended) return;
    own.abort();
    state(why ?? asRefusal(new Error('The connection to the server was lost.')));
    timer = setTimeout(begin, again);
  };

  document.addEventListener('visibilitychange', begin);
  void begin();
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', begin);
    clearTimeout(timer);
    clearTimeout(told);
    current?.abort();
  };
};
