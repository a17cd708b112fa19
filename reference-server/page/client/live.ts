import type { LoggedRequest } from '../../log/request-log.ts';
import type { ControlApi, ControlRefusal } from './control-api.ts';
import { asRefusal } from './session.ts';

/** Longer messages than this are no requests of the log, whose parts are all cut. */
const longest = 4 * 1024 * 1024;

/** Reads the data of server-sent events from the pieces of a text (HTML Living Standard, section 9.2). */
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

/** Who is told of the requests. */
interface LiveListener {
  /** Requests that came, oldest first; some of them may be known already. */
  readonly requests: (requests: readonly LoggedRequest[]) => void;
  /** Undefined once the requests come as they are made; else why they do not. */
  readonly state: (refusal: ControlRefusal | undefined) => void;
}

/** What comes within so many milliseconds is told at once; a lost stream is looked for again after so many. */
const together = 100;
const again = 1500;

/**
 * Follows the requests of a world while the page is seen, over connections that are lost and servers that are started
 * anew. What it gives ends that.
 */
export const followRequests = (api: ControlApi, { requests, state }: LiveListener): (() => void) => {
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
    try {
      waiting.push(JSON.parse(data) as LoggedRequest);
    } catch {
      return;
    }
    told ??= setTimeout(tell, together);
  };

  const follow = async ({ signal }: AbortController): Promise<void> => {
    const { requests: kept } = await api.get<{ requests: readonly LoggedRequest[] }>('/requests?limit=200', signal);
    // Another world may be looked at by now.
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
