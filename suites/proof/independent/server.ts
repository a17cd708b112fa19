import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isFields } from './checks.ts';
import { readBody } from './incoming.ts';
import type { Call } from './outcome.ts';
import { type Reply, send } from './outgoing.ts';
import { type Route, routeOf } from './routes.ts';
import { environments, events, experiments, metrics, prompts, sources } from './seed.ts';
import { freshState, type State, words } from './state.ts';

/**
 * A second server, written from the Console Management API specification alone. It shares nothing with the reference
 * server or the contracts and takes every liberty the specification leaves: a suite that accuses it has read something
 * into the specification.
 */
export interface IndependentServer {
  readonly url: string;
  readonly apiKey: string;
  /** The target file of the suite for it. */
  readonly targetFile: object;
  close(): Promise<void>;
}

const apiKey = 'k7f3a-Open-Sesame-91';

/** The work of an operation that may take its time, of the route that a method and a path with stars name. */
export type Served = (call: Call) => Promise<Reply>;
export type AroundRoute = (served: Served, route: Pick<Route, 'method' | 'path'>) => Served;

/**
 * Starts the server with fresh state on a free port of the loopback interface.
 *
 * @param around puts another operation in the place of each, for requests with the key whose body was read
 */
export async function startIndependentServer(around: AroundRoute = served => served): Promise<IndependentServer> {
  const state = freshState();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const busy = requests % 61 === 0;
    if (requests % 7 === 0) response.writeProcessing();
    answer(state, request, busy, around).then(
      outcome => send(response, outcome),
      () => response.destroy(),
    );
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, apiKey, targetFile: describeTarget(url, apiKey), close };
}

/** Section 5: the key counts in the header alone. Whoever has none learns nothing, not even which paths exist. */
async function answer(state: State, request: IncomingMessage, busy: boolean, around: AroundRoute): Promise<Reply> {
  const incoming = await readBody(request);
  if (busy) return { status: 429, reason: 'one moment' };
  const key = request.headers['service-api-key'];
  if (key === undefined) return { status: 401, reason: '' };
  if (key !== apiKey) return { status: 403, reason: 'this key opens nothing' };
  const [path = '', ...query] = (request.url ?? '').split('?');
  const routed = routeOf(request.method ?? '', path);
  if ('status' in routed) return { ...routed, reason: routed.status === 404 ? 'no such path' : 'no such method' };
  const { route, names } = routed;
  const body = bodyFor(route, incoming);
  if ('status' in body) return body;
  const served = around(async call => route.run(call), route);
  return served({ state, names, query: new URLSearchParams(query.join('?')), body: body.fields });
}

function bodyFor(route: Route, incoming: Awaited<ReturnType<typeof readBody>>) {
  if (route.body === 'none') return { fields: {} };
  if ('status' in incoming) return incoming;
  if (incoming.value === undefined && route.body === 'optional') return { fields: {} };
  return isFields(incoming.value) ? { fields: incoming.value } : { status: 422, reason: 'the body must be an object' };
}

/**
 * What the suite is told about the independent server: its fixtures and words, and that it has none of the optional
 * capabilities.
 */
function describeTarget(url: string, apiKey: string): object {
  return {
    baseUrl: url,
    apiKey,
    fixtures: {
      gates: ['gate-1', 'gate-2', 'gate-3'],
      dynamicConfigs: ['conf-a', 'conf-b'],
      experiments: experiments.map(({ id, status }) => ({ id, status, groups: ['As is', 'Blue'] })),
      qualifyingEvents: sources.slice(0, 3).map(({ name }) => name),
      prompts,
      events: Object.keys(events),
      environments: environments.map(({ colour: _unlisted, ...listed }) => listed),
    },
    vocabulary: {
      idTypes: words.idTypes,
      metrics: metrics.slice(0, 4).map(({ name, type }) => ({ name, type })),
      models: words.models,
      providers: words.providers,
      users: words.users,
      apps: words.apps,
      columns: words.columns,
      reviewGroups: words.reviewGroups,
      metricSources: sources.slice(0, 3).map(({ name }) => name),
      environments: environments.map(({ name }) => name),
    },
    capabilities: [],
  };
}
