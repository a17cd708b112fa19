import type { Problem as BrokenRule } from '../../../contracts/validation.ts';

/** One thing that the server found wrong with what was sent to a control path. */
type Problem = Pick<BrokenRule, 'pointer' | 'message'>;

/** What a control path refused, in its words. `status` is 0 where no answer came. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];
  constructor(status: number, message: string, problems: readonly Problem[] = []) {
    super(message);
    this.name = 'ControlRefusal';
    this.status = status;
    this.problems = problems;
  }
}

/** The control paths of one world. Every method throws a `ControlRefusal`. */
export interface ControlApi {
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  readonly send: <T>(method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<T>;
  /** Sends a text of JSON as it stands. */
  readonly sendText: <T>(method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, text: string) => Promise<T>;
  /** The bytes of an answer that goes on. */
  readonly stream: (path: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
}

/** How the control paths are asked. */
interface ControlApiOptions {
  /** The name of the world of which they are to speak. */
  readonly world: string;
  /** Is kept in the memory of the page alone. */
  readonly controlKey: string | undefined;
  readonly fetch?: typeof fetch;
}

const prefix = '/_reference/v1';

/**
 * An id as a part of a path. Throws a `ControlRefusal` for what no browser can send so: an empty one, dots alone, which
 * it would take for a way up, and half of a character.
 */
export const segment = (id: string): string => {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed())
    throw new ControlRefusal(0, 'A browser cannot send this id in a path.');
  return encodeURIComponent(id);
};

/** The control path of an entity. */
export const entityPath = (collection: string, id: string): string => `/state/${segment(collection)}/${segment(id)}`;

const refusalOf = async (answer: Response): Promise<ControlRefusal> => {
  const body = (await answer.json().catch(() => undefined)) as { message?: unknown; errors?: unknown } | undefined;
  const errors = Array.isArray(body?.errors) ? (body.errors as Problem[]) : [];
  return new ControlRefusal(answer.status, String(body?.message ?? `The server answered ${answer.status}.`), errors);
};

/** Speaks with the control paths of the server that gave this page. */
export const controlApi = ({ world, controlKey, fetch: ask = fetch }: ControlApiOptions): ControlApi => {
  const headers = controlKey === undefined ? {} : { 'Reference-Control-Key': controlKey };

  const answerTo = async (path: string, init: RequestInit): Promise<Response> => {
    const url = `${prefix}${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(world)}`;
    const answer = await ask(url, { cache: 'no-store', credentials: 'omit', redirect: 'error', ...init }).catch(
      (error: unknown) => {
        if (init.signal?.aborted) throw error;
        throw new ControlRefusal(0, 'The server does not answer.');
      },
    );
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  };
  const bodyOf = async <T>(answer: Response): Promise<T> =>
    (await answer.json().catch(() => {
      throw new ControlRefusal(0, 'The answer of the server broke off.');
    })) as T;

  const sendText: ControlApi['sendText'] = async (method, path, text) =>
    bodyOf(await answerTo(path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: text }));
  return {
    get: async (path, signal) => bodyOf(await answerTo(path, { headers, ...(signal && { signal }) })),
    sendText,
    async send(method, path, body) {
      if (body !== undefined) return sendText(method, path, JSON.stringify(body));
      return bodyOf(await answerTo(path, { method, headers }));
    },
    async stream(path, signal) {
      const { body } = await answerTo(path, { headers, signal });
      if (body === null) throw new ControlRefusal(0, 'The server does not answer.');
      return body;
    },
  };
};
