import { membersOf } from '../../../contracts/json.ts';
import type { Problem as BrokenRule } from '../../../contracts/validation.ts';

/** A problem that the server found in a request to a control path. */
type Problem = Pick<BrokenRule, 'pointer' | 'message'>;

/** A refusal of a control path, with the server's message. `status` is 0 if no answer came. */
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

const prefix = '/_reference/v1';

type Method = 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Encodes an id as a path segment. Throws a `ControlRefusal` for ids that no browser can send: empty, `.` or `..`
 * (resolved as relative paths), or with a lone surrogate.
 */
export const segment = (id: string): string => {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed())
    throw new ControlRefusal(0, 'A browser cannot send this id in a path.');
  return encodeURIComponent(id);
};

/** Returns the control path of an entity. */
export const entityPath = (collection: string, id: string): string => `/state/${segment(collection)}/${segment(id)}`;

/** Converts a thrown value to a refusal. */
export const asRefusal = (error: unknown): ControlRefusal =>
  error instanceof ControlRefusal
    ? error
    : new ControlRefusal(0, error instanceof Error ? error.message : String(error));

const refusalOf = async (answer: Response): Promise<ControlRefusal> => {
  const { status } = answer;
  const { message = `The server answered ${status}.`, errors } = membersOf(await answer.json().catch(() => undefined));
  return new ControlRefusal(status, String(message), Array.isArray(errors) ? (errors as unknown as Problem[]) : []);
};

/** Calls the control paths of one world on the server that served this page. Every method throws a `ControlRefusal`. */
export const controlApi = ({
  world,
  controlKey,
  fetch: ask = fetch,
}: {
  /** The name of the world. */
  world: string;
  /** Kept only in the memory of the page. */
  controlKey: string | undefined;
  fetch?: typeof fetch;
}) => {
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

  /** Sends a JSON text unchanged. */
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
    /** Returns the body of a streaming answer. */
    async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
      const { body } = await answerTo(path, { headers, signal });
      if (body === null) throw new ControlRefusal(0, 'The server does not answer.');
      return body;
    },
  };
};

/** The client of the control paths of one world. */
export type ControlApi = ReturnType<typeof controlApi>;
