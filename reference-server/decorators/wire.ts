import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { HandlerRequest } from '../api/request.ts';
import type { HandlerResponse } from '../api/response.ts';
import { both, type Decorator } from './layers.ts';
import { instead } from './operations.ts';

/** Decorators of raw HTTP: of requests before they are handled, and of the bytes of responses. */

const pathOf = (id: EndpointId): RegExp => new RegExp(`^${endpoints[id].path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);

/**
 * True of requests to the paths of these operations, and all requests where none are named. `byMethod`: of their
 * methods only.
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

/** Does something with every request of the server before it is handled, or in place of that. */
export const beforeHandling =
  (prepare: Handling): Decorator =>
  () => ({
    decorateListener: listener => (request, response) => prepare(request, response, () => listener(request, response)),
  });

/** Does something else with every n-th request of the server. */
export const everyNthRequest =
  (count: number, otherwise: Handling): Decorator =>
  server => {
    let seen = 0;
    return beforeHandling((request, response, handle) => {
      seen += 1;
      if (seen % count === 0) otherwise(request, response, handle);
      else handle();
    })(server);
  };

/** Responds to requests to the path of these operations, whatever their method, before the server sees them. */
export const beforeServer =
  (respond: (request: IncomingMessage) => Outgoing | 'drop' | undefined): Decorator =>
  server => {
    const here = addressed(server.endpoints, false);
    return beforeHandling((request, response, handle) => {
      const given = here(request) ? respond(request) : undefined;
      if (given === undefined) return handle();
      if (given === 'drop') return void request.socket.destroy();
      request.resume();
      response.writeHead(given.status, given.headers).end(given.body);
    })(server);
  };

/** A response on its way out. `body` is undefined where there is none; the length is counted when it is written. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Buffer | undefined;
}

/** A response with a message and nothing more. */
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

/** Holds a response back until it is complete, changes it, and writes it. */
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

/** Changes the responses of these operations, and writes them in one piece or as `write` does. */
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

/** Which responses a decorator means, by their status. */
type Meant = (status: number) => boolean;
export const refusals: Meant = status => status >= 400;
export const successes: Meant = status => status < 400;

/** Changes the text of responses that have one; `headers` are sent beside those that it has, or in their place. */
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

/** Closes the connection without a response to requests of which this is true: a worker that dies of them. */
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
