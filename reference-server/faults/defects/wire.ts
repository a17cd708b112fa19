import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import type { EndpointId } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import type { ApiRequest } from '../../api/request.ts';
import type { Defect } from '../fault.ts';

/** The bytes of an answer, before they go out. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
}

const pathOf = (id: EndpointId): RegExp => new RegExp(`^${endpoints[id].path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);

/** True of requests to the paths of these operations; `method`: of their methods only. */
const addressed = (ids: readonly EndpointId[], method: boolean): ((request: IncomingMessage) => boolean) => {
  const routes = ids.map(id => [endpoints[id].method as string, pathOf(id)] as const);
  return request => routes.some(([verb, path]) => (!method || request.method === verb) && path.test(request.url ?? ''));
};

const rewriting =
  (listener: RequestListener, change: (answer: WireAnswer) => WireAnswer & { bytes?: Buffer }): RequestListener =>
  (request, response) => {
    const { writeHead, end } = response;
    let [status, headers]: [number, OutgoingHttpHeaders] = [200, {}];
    response.writeHead = ((code: number, given: OutgoingHttpHeaders = {}) => {
      [status, headers] = [code, given];
      return response;
    }) as typeof writeHead;
    response.end = ((text = '') => {
      const answer = change({ status, headers, text: String(text) });
      const bytes = answer.bytes ?? Buffer.from(answer.text);
      const length = answer.status === 204 ? {} : { 'Content-Length': bytes.length };
      writeHead.call(response, answer.status, { ...answer.headers, ...length });
      return end.call(response, bytes, 'utf8');
    }) as typeof end;
    listener(request, response);
  };

/** Changes the bytes, status and headers of what these operations answer. */
export const onWire =
  (change: (answer: WireAnswer) => WireAnswer & { bytes?: Buffer }): Defect =>
  place => {
    const here = addressed(place.endpoints, true);
    return {
      decorateListener: listener => {
        const wrong = rewriting(listener, change);
        return (request, response) => (here(request) ? wrong : listener)(request, response);
      },
    };
  };

/** Changes the bytes of successes, or of refusals, alone. */
export const onWireOf = (
  what: 'successes' | 'refusals',
  change: (answer: WireAnswer) => WireAnswer & { bytes?: Buffer },
): Defect => onWire(answer => (answer.status >= 400 === (what === 'refusals') ? change(answer) : answer));

/** Answers a request to the path of these operations, whatever its method, before the server sees it. */
export const beforeServer =
  (answer: (request: IncomingMessage) => WireAnswer | 'drop' | undefined): Defect =>
  place => {
    const here = addressed(place.endpoints, false);
    return {
      decorateListener: listener => (request, response) => {
        const given = here(request) ? answer(request) : undefined;
        if (given === undefined) return listener(request, response);
        if (given === 'drop') return void request.socket.destroy();
        request.resume();
        response.writeHead(given.status, given.headers).end(given.text);
      },
    };
  };

const mark = 'x-connection-is-lost';

/** Closes the connection without an answer where a request is one of these: a worker that dies of it. */
export const dropsOn =
  (when: (request: ApiRequest) => boolean): Defect =>
  () => ({
    decorate: (_id, handler) => async (request, store, settings) =>
      when(request) ? { status: 200, headers: { [mark]: '' }, body: undefined } : handler(request, store, settings),
    decorateListener: listener => (request, response) => {
      const { writeHead } = response;
      response.writeHead = ((...given: Parameters<typeof writeHead>) => {
        if (response.hasHeader(mark)) request.socket.destroy();
        return writeHead.apply(response, given);
      }) as typeof writeHead;
      listener(request, response);
    },
  });
