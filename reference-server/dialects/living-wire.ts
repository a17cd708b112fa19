import type { Socket } from 'node:net';
import {
  beforeHandling,
  type Decorator,
  everyNthRequest,
  inOnePiece,
  messageOf,
  onWire,
  reply,
} from '../decorators/index.ts';
import { all, type DialectTable, type Remarks, usesUpBudget } from './dialect.ts';

/** Intermediaries between a client and a service: gateways, proxies, filters, short-lived connections. */

/** Counts the requests over each connection. */
const requestsOver = () => {
  const seen = new WeakMap<Socket, number>();
  return {
    count: (socket: Socket): number => {
      const count = (seen.get(socket) ?? 0) + 1;
      seen.set(socket, count);
      return count;
    },
    of: (socket: Socket): number => seen.get(socket) ?? 0,
  };
};

const many = 20;

/** Closes the connection after `many` answers, without announcing it in the last one. */
const closesUnannounced: Decorator = server => {
  const { count } = requestsOver();
  return beforeHandling((request, response, handle) => {
    const { socket } = request;
    if (count(socket) === many) response.once('finish', () => socket.destroySoon());
    handle();
  })(server);
};

/** Closes the connection on the next request after `many` answers, without carrying that request out. */
const closesOnNext: Decorator = server => {
  const { count } = requestsOver();
  return beforeHandling((request, _response, handle) => {
    if (count(request.socket) > many) request.socket.destroy();
    else handle();
  })(server);
};

/** Closes a reused connection once in about 250 requests, without carrying the request out. */
const closesSeldom: Decorator = server => {
  const { count } = requestsOver();
  let seen = 0;
  return beforeHandling((request, _response, handle) => {
    seen += 1;
    if (count(request.socket) > 1 && seen >= 250) {
      seen = 0;
      return void request.socket.destroy();
    }
    handle();
  })(server);
};

/**
 * Carries out the request but closes the connection before the first byte of the answer. Only on connections that have
 * carried `least` requests, and once in `every` of those.
 */
const losesAnswers =
  (least: number, every: number): Decorator =>
  server => {
    const over = requestsOver();
    let seen = 0;
    return onWire(
      outgoing => outgoing,
      (response, outgoing) => {
        const { socket } = response.req;
        seen += over.count(socket) > least ? 1 : 0;
        if (seen < every) return inOnePiece(response, outgoing);
        seen = 0;
        socket.destroy();
      },
    )(server);
  };

const page = (status: number, title: string) =>
  reply({
    status,
    headers: { 'Content-Type': 'text/html' },
    body: `<!doctype html><title>${title}</title><h1>${title}</h1>`,
  });

/** Refuses requests without a User-Agent that names a product and a version. */
const filtered = beforeHandling((request, response, handle) =>
  /\S\/\S/.test(request.headers['user-agent'] ?? '') ? handle() : page(403, 'Request blocked')(request, response),
);

/** Refuses a body on requests to read, with a page of its own: RFC 9110, section 9.3.1, expects as much. */
const withoutBodies = beforeHandling((request, response, handle) => {
  const { method, headers } = request;
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  return method === 'GET' && hasBody ? page(400, 'Bad Request')(request, response) : handle();
});

const longHeaders = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [`X-Policy-${index}`, 'p'.repeat(3000)]),
);

const slashRedirected = beforeHandling((request, response, handle) => {
  const { url = '' } = request;
  const straight = url.replace(/\/+(?=\?|$)/, '');
  if (straight === url) return handle();
  reply({ status: 308, headers: { Location: straight }, body: undefined })(request, response);
});

/** Accepts the scheme of credentials in any letter case (RFC 9110, section 11.1); the token must match exactly. */
const schemeInAnyCase: Decorator = () => ({
  decorateAuthorise: authorise => request => {
    const authorization = request.headers.authorization?.replace(/^bearer +/i, 'Bearer ');
    return authorise({ ...request, headers: { ...request.headers, authorization } });
  },
});

/** An operation that works only once is not repeated after a gateway error, because it may have been carried out. */
const alsoOnce: Remarks = {
  mayBeUntested: { checks: [...usesUpBudget.mayBeUntested.checks, 'disable-config/*', 'archive-config/*'] },
};

// biome-ignore format: a table
export const wireDialects: DialectTable = [
  ['closes-after-twenty',        '1', all, 'closes a connection after twenty answers, without a word',                            closesUnannounced, usesUpBudget],
  ['closes-on-the-next',         '1', all, 'closes a connection when it is used for the twenty-first time',                       closesOnNext, usesUpBudget],
  ['closes-seldom',              '1', all, 'closes a connection once in 250 requests, as one comes',                              closesSeldom, usesUpBudget],
  ['loses-answers-after-twenty', '1', all, 'loses the answer to the twenty-first request on a connection, when the work is done', losesAnswers(20, 1), { changes: ['metrics', 'prompts'], ...usesUpBudget }],
  ['loses-answers-seldom',       '1', all, 'loses one answer in 250 with its connection, when the work is done',                  losesAnswers(1, 250), { changes: ['metrics', 'prompts'], ...usesUpBudget }],
  ['filter-of-user-agents',      '1', all, 'stands behind a filter that wants a product in `User-Agent` (403)',                   filtered],
  ['gateway-without-get-bodies', '1', all, 'stands behind a gateway that refuses a body on a GET with a page of its own (400)',    withoutBodies, { mayWarn: ['robust.error-json-elsewhere'] }],
  ['headers-of-18-kilobytes',    '1', all, 'sends 18 KB of headers with every answer',                                            onWire(outgoing => ({ ...outgoing, headers: { ...outgoing.headers, ...longHeaders } }))],
  ['gateway-502',                '7', all, 'stands behind a gateway that answers one request in 250 with 502',                    everyNthRequest(250, page(502, 'Bad Gateway')), alsoOnce],
  ['gateway-504',                '7', all, 'stands behind a gateway that answers one request in 250 with 504',                    everyNthRequest(250, page(504, 'Gateway Timeout')), alsoOnce],
  ['rate-limit-silent',          '8', all, 'refuses one request in 150 with 429 and does not say when to come back',              everyNthRequest(150, reply(messageOf(429, 'Too many requests.')))],
  ['slashes-redirected',         '4', all, 'redirects a path with a slash at its end to the one without (308)',                   slashRedirected],
  ['key-in-authorization',       '5', all, 'takes its key as `Authorization: Bearer …`',                                          schemeInAnyCase, { naming: { apiKeyHeader: 'Authorization' }, apiKey: 'Bearer 7301-5580-2219-4467' }],
];
