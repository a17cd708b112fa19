import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { performance } from 'node:perf_hooks';
import { tlsOf } from '../../client/connection.ts';
import type { SeenBreach } from '../exchange/breach.ts';
import {
  type ObservedBody,
  type ObservedExchange,
  type ObservedHeaders,
  type ObservedRequest,
  pairsOf,
} from '../exchange/exchange.ts';
import { createBodyRoom } from './body-store.ts';
import { originForm } from './head.ts';
import { type Listening, listening, type ProxyOptions, type RunningProxy, reachability } from './proxy.ts';
import { hostOf } from './sockets.ts';

/** The reasons not to pass a message on: breaches, or why it could not be judged. */
export interface Objections {
  readonly breaches: readonly SeenBreach[];
  readonly unjudged?: string;
}

/** Decides whether a message is passed on. */
export interface Gate {
  /** Returns the objections to a request that was complete at `sentAtMs`; any objection keeps it from the target. */
  request(request: ObservedRequest, sentAtMs: number): Objections;
  /**
   * Judges an exchange. Returns the objections to its answer; any objection keeps it from the client. `isAlone`: no
   * other request is under way.
   */
  exchange(exchange: ObservedExchange, isAlone: boolean): Objections;
}

/** The options of an enforcing proxy: a gate replaces the sink. */
type EnforcingOptions = Omit<ProxyOptions, 'sink' | 'idleMs' | 'onIdle'> & { readonly gate: Gate };

/** Headers for one connection only, which are not passed on (RFC 9110 section 7.6.1). */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect']);

const headersOf = ({ rawHeaders }: IncomingMessage): ObservedHeaders => pairsOf(rawHeaders);

const passing = (headers: ObservedHeaders): ObservedHeaders =>
  headers.filter(([name]) => !ofConnection.has(name.toLowerCase()));

/** Returns why a message is not passed on; undefined if there is no objection. */
function objectionTo(what: 'request' | 'answer', { breaches, unjudged }: Objections): string | undefined {
  if (breaches.length > 0) return `the ${what} breaks the specification and was not passed on`;
  return unjudged && `the ${what} cannot be judged and was not passed on: ${unjudged}`;
}

/** Sends a refusal in place of a message that is not passed on. */
function refuse(response: ServerResponse, status: number, message: string, breaches: readonly SeenBreach[] = []): void {
  if (response.headersSent) return void response.destroy();
  const violations = breaches.map(({ requirement, text }) => ({ requirement, text }));
  const body = JSON.stringify({ message: `conform proxy: ${message}`, violations });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/**
 * Starts a proxy that holds each request and answer back until it is complete and judged. A request with breaches is
 * answered 400, an answer with breaches is replaced by 502, each listing them. Messages are rebuilt, so trailers,
 * interim answers and upgrades do not pass, and neither do bodies too long to hold.
 */
export async function startEnforcingProxy(options: EnforcingOptions, at: Listening): Promise<RunningProxy> {
  const { target, access = { tls: {} }, gate, preserveHost = false } = options;
  const room = createBodyRoom(options.bounds);
  const base = target.pathname.replace(/\/+$/, '');
  const isPlain = target.protocol === 'http:';
  const send = isPlain ? httpRequest : httpsRequest;
  const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true, ...tlsOf(access) });
  const whyNot = reachability(target);
  const start = performance.now();
  const now = (): number => performance.now() - start;
  let exchanges = 0;
  let underWay = 0;

  /** Reads a body; null if it is too long to hold. */
  async function bodyOf(message: IncomingMessage) {
    const store = room.store();
    const parts: Buffer[] = [];
    let fits = true;
    let observed: ObservedBody | null = null;
    try {
      for await (const part of message) {
        fits &&= store.add(part as Buffer);
        if (fits) parts.push(part as Buffer);
      }
    } finally {
      // Node has undone chunked, but no other transfer coding. A body that breaks off gives its room back, too.
      observed = store.take(headersOf(message));
    }
    return fits ? { wire: Buffer.concat(parts), observed } : null;
  }

  /** Sends a client's request to the target; rejects if no proper answer comes. */
  function asked(message: IncomingMessage, wire: Buffer, client: ServerResponse): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = passing(headersOf(message)).flatMap(([name, value]) =>
        name.toLowerCase() === 'host' && !preserveHost ? [name, target.host] : [name, value],
      );
      const path = `${base}${originForm(message.url ?? '/')}`;
      const { method } = message;
      const to = { host: hostOf(target), port: target.port, setHost: false, agent };
      const onward = send({ ...to, method, path, headers: headers as never });
      const turned = new Error('it turned to another protocol');
      onward.on('error', reject);
      onward.on('response', answer => {
        // Node reports a 101 without an Upgrade header as a response.
        if ((answer.statusCode ?? 0) >= 200) return resolve(answer);
        answer.destroy();
        reject(turned);
      });
      onward.on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(turned);
      });
      client.on('close', () => onward.destroy());
      onward.end(wire);
    });
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(message);
    if (!body) return refuse(response, 413, 'the body is too long to be held back and judged');
    exchanges += 1;
    const request: ObservedRequest = {
      method: message.method ?? '',
      target: originForm(message.url ?? '/'),
      headers: headersOf(message),
      body: body.observed,
    };
    const sentAtMs = now();
    const number = exchanges;
    const source = 'the wall';
    const end = (answer: ObservedExchange['response']): Objections =>
      gate.exchange({ number, source, request, response: answer, sentAtMs, answeredAtMs: now() }, underWay === 1);
    const asks = gate.request(request, sentAtMs);
    const unasked = objectionTo('request', asks);
    if (unasked) {
      end({ failure: 'the request was not passed on' });
      return refuse(response, 400, unasked, asks.breaches);
    }
    const answered = await asked(message, body.wire, response)
      .then(async answer => ({ answer, held: await bodyOf(answer) }))
      .catch((error: Error) => ({ failure: whyNot(error) }));
    if ('failure' in answered) {
      end(answered);
      return refuse(response, 502, answered.failure);
    }
    const { answer, held } = answered;
    const status = answer.statusCode ?? 0;
    const headers = headersOf(answer);
    if (!held) {
      end({ status, headers, body: { bytes: Buffer.alloc(0), length: 0, isCut: true } });
      return refuse(response, 502, 'the answer is too long to be held back and judged');
    }
    const says = end({ status, headers, body: held.observed });
    const unsaid = objectionTo('answer', says);
    if (unsaid) return refuse(response, 502, unsaid, says.breaches);
    try {
      response.writeHead(status, answer.statusMessage, passing(headers).flat() as never);
    } catch {
      response.statusMessage = '';
      return refuse(response, 502, 'the head of the answer is no HTTP');
    }
    response.end(held.wire);
  }

  const server = createServer(async (message, response) => {
    message.on('error', () => {});
    underWay += 1;
    await handle(message, response).catch(() => response.destroy());
    underWay -= 1;
  });
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  for (const event of ['upgrade', 'connect'] as const)
    server.on(
      event,
      (_message, socket) => void socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\n\r\n'),
    );
  return {
    url: await listening(server, at),
    exchanges: () => exchanges,
    keptBytes: room.used,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}
