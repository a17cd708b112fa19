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

/** How the control paths are asked. */
interface ControlApiOptions {
  /** The name of the world of which they are to speak. */
  readonly world: string;
  /** Is kept in the memory of the page alone. */
  readonly controlKey: string | undefined;
  readonly fetch?: typeof fetch;
}

const prefix = '/_reference/v1';

type Method = 'PUT' | 'POST' | 'PATCH' | 'DELETE';

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

/**
 * Speaks with the control paths of one world, of the server that gave this page. Every method throws a `ControlRefusal`.
 */
export const controlApi = ({ world, controlKey, fetch: ask = fetch }: ControlApiOptions) => {
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

  /** Sends a text of JSON as it stands. */
  const sendText = async <T>(method: Method, path: string, text: string): Promise<T> =>
    bodyOf(await answerTo(path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: text }));
  return {
    get: async <T>(path: string, signal?: AbortSignal): Promise<T> =>
      bodyOf(await answerTo(path, { headers, ...(signal && { signal }) })),
    sendText,
    async send<T>(method: Method, path: string, body?: unknown): Promise<T> {
      if (body !== undefined) return sendText(method, path, JSON.stringify(body));
      return bodyOf(await answerTo(path, { method, headers }));
    },
    /** The bytes of an answer that goes on. */
    async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
      const { body } = await answerTo(path, { headers, signal });
      if (body === null) throw new ControlRefusal(0, 'The server does not answer.');
      return body;
    },
  };
};

/** The control paths of one world. */
export type ControlApi = ReturnType<typeof controlApi>;
