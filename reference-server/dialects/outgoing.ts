import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Hooks } from '../api/hooks.ts';

/** An answer on its way out. `body` is undefined where there is none; the length is counted when it is written. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Buffer | undefined;
}

type Change = (outgoing: Outgoing, request: IncomingMessage) => Outgoing;
type Write = (response: ServerResponse, outgoing: Outgoing) => void;

const lengthName = 'Content-Length';

const whole: Write = (response, { status, headers, body }) => {
  response.writeHead(status, { ...headers, ...(body !== undefined && { [lengthName]: Buffer.byteLength(body) }) });
  response.end(body);
};

/** Holds every answer back until it is complete, changes it, and writes it in one piece or as `write` does. */
export const outgoing = (change: Change, write: Write = whole): Pick<Hooks, 'decorateListener'> => ({
  decorateListener: listener => (request, response) => {
    const { writeHead, end } = response;
    let status: number | undefined;
    let headers: Outgoing['headers'] = {};
    const held = {
      writeHead(code: number, given: Outgoing['headers'] = {}) {
        status = code;
        headers = given;
        return response;
      },
      end(body?: string | Buffer) {
        Object.assign(response, { writeHead, end });
        const { [lengthName]: _, ...kept } = headers;
        write(response, change({ status: status ?? response.statusCode, headers: kept, body }, request));
        return response;
      },
    };
    Object.assign(response, held);
    listener(request, response);
  },
});

/** Changes the text of every answer that has one. */
export const outgoingText = (change: (text: string) => string | Buffer, headers: Outgoing['headers'] = {}) =>
  outgoing(answer =>
    typeof answer.body === 'string' && answer.body !== ''
      ? { ...answer, headers: { ...answer.headers, ...headers }, body: change(answer.body) }
      : answer,
  );

/** Changes every refusal (status 400 and above), those of unknown paths and methods included. */
export const outgoingRefusals = (change: (status: number, body: unknown) => Partial<Outgoing>) =>
  outgoing(answer =>
    answer.status >= 400 && typeof answer.body === 'string'
      ? { ...answer, ...change(answer.status, JSON.parse(answer.body)) }
      : answer,
  );

/** Does something with every request before it is handled. */
export const incoming = (
  prepare: (request: IncomingMessage, response: ServerResponse, handle: () => void) => void,
): Pick<Hooks, 'decorateListener'> => ({
  decorateListener:
    (listener: RequestListener): RequestListener =>
    (request, response) =>
      prepare(request, response, () => listener(request, response)),
});
