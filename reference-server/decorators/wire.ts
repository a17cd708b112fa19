import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { HandlerRequest } from '../api/request.ts';
import type { HandlerResponse } from '../api/response.ts';
import { both, counting, type Decorator, does, type Operator } from './layers.ts';
import { instead } from './operations.ts';

/** Decorators of raw HTTP: of requests before they are handled, and of the bytes of responses. */

const pathOf = (id: EndpointId): RegExp => new RegExp(`^${endpoints[id].path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);

/**
 * Returns a predicate for requests to the paths of these operations, or for all requests if `ids` is undefined.
 * `byMethod`: the method must match too.
 */
export const addressed = (
  ids: readonly EndpointId[] | undefined,
  byMethod: boolean,
): ((request: IncomingMessage) => boolean) => {
  const routes = ids?.map(id => [endpoints[id].method as string, pathOf(id)] as const);
  return ({ method, url = '' }) =>
    routes?.some(([verb, path]) => (!byMethod || method === verb) && path.test(url)) ?? true;
};

type Handling = (request: IncomingMessage, response: ServerResponse, handle: () => void) => void;

/** Runs `prepare` before every request of the server is handled, or instead. */
export const beforeHandling =
  (prepare: Handling): Decorator =>
  () => ({
    decorateListener: listener => (request, response) => prepare(request, response, () => listener(request, response)),
  });

/** Handles every n-th request of the server with `otherwise`. */
export const everyNthRequest = (count: number, otherwise: Handling): Decorator =>
  counting(next =>
    beforeHandling((request, response, handle) => {
      if (next() % count === 0) otherwise(request, response, handle);
      else handle();
    }),
  );

/** Responds without handling the request. */
export const reply =
  ({ status, headers, body }: Outgoing) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    response.writeHead(status, { ...headers }).end(body);
  };

/**
 * Responds to requests to the paths of these operations before the server handles them: whatever their method, or with
 * `byMethod` only to theirs.
 */
export const beforeServer =
  (respond: (request: IncomingMessage) => Outgoing | 'drop' | undefined, byMethod = false): Decorator =>
  server => {
    const here = addressed(server.endpoints, byMethod);
    return beforeHandling((request, response, handle) => {
      const given = here(request) ? respond(request) : undefined;
      if (given === undefined) return handle();
      if (given === 'drop') return void request.socket.destroy();
      reply(given)(request, response);
    })(server);
  };

/** A response before it is written. `body` is undefined if there is none; the length is computed when it is written. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Buffer | undefined;
}

/** Returns a response with only a message. */
export const messageOf = (status: number, message: string): Outgoing => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ message }),
});

type Change = (outgoing: Outgoing, request: IncomingMessage) => Outgoing;
type Write = (response: ServerResponse, outgoing: Outgoing) => void;

const lengthName = 'Content-Length';

/** Writes a response in one piece, with its length. */
export const inOnePiece: Write = (response, { status, headers, body }) => {
  response.writeHead(status, { ...headers, ...(body !== undefined && { [lengthName]: Buffer.byteLength(body) }) });
  response.end(body);
};

/** Holds a response back until it is complete, then changes and writes it. */
const held =
  (listener: RequestListener, change: Change, write: Write): RequestListener =>
  (request, response) => {
    const { writeHead, end } = response;
    let status: number | undefined;
    let headers: Outgoing['headers'] = {};
    Object.assign(response, {
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
    });
    listener(request, response);
  };

/** Changes the responses of these operations, and writes them in one piece or with `write`. */
export const onWire =
  (change: Change, write = inOnePiece): Decorator =>
  ({ endpoints: ids }) => {
    const here = addressed(ids, true);
    return {
      decorateListener: listener => {
        const changed = held(listener, change, write);
        return (request, response) => (here(request) ? changed : listener)(request, response);
      },
    };
  };

/** Selects responses by their status. */
type Meant = (status: number) => boolean;
export const refusals: Meant = status => status >= 400;
export const successes: Meant = status => status < 400;

/** Changes the text of responses that have one; `headers` are added to the existing ones or replace them. */
export const onText = (
  change: (text: string) => string | Buffer,
  { of = () => true, headers = {} }: { readonly of?: Meant; readonly headers?: Outgoing['headers'] } = {},
): Decorator =>
  onWire(outgoing => {
    const { status, body } = outgoing;
    if (typeof body !== 'string' || body === '' || !of(status)) return outgoing;
    return { status, headers: { ...outgoing.headers, ...headers }, body: change(body) };
  });

const mark = 'x-connection-is-lost';

/** Closes the connection without a response to requests that match `when`, like a worker that crashes on them. */
export const dropsOn = (when: (request: HandlerRequest) => boolean): Decorator => {
  const lost: HandlerResponse = { status: 200, headers: { [mark]: '' }, body: undefined };
  return both(
    instead(request => (when(request) ? lost : undefined)),
    onWire(
      outgoing => outgoing,
      (response, outgoing) => {
        if (response.hasHeader(mark)) response.req.socket.destroy();
        else inOnePiece(response, outgoing);
      },
    ),
  );
};

const knowsNot = (path: RegExp) =>
  beforeServer(({ url = '' }) => (path.test(url) ? messageOf(404, 'Not found.') : undefined));

/** Knows the path parameter only as it stands in the path: percent-encoded, it names nothing. */
export const pathUndecoded: Operator = does('The path parameter is not decoded.', knowsNot(/^[^?]*%/));
/** Decodes the path parameter where hexadecimal digits are in upper case. */
export const lowerHexUndecoded: Operator = does(
  'The path parameter is not decoded where a hexadecimal digit is a small letter.',
  knowsNot(/^[^?]*%([\da-fA-F]?[a-f])/),
);
