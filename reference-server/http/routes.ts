import { parse } from 'node:querystring';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { type OperationAt, operationAt } from '../../contracts/operation-at.ts';
import type { Planned, PlannedAnswer } from '../api/planned.ts';
import type { Handler, HandlerRequest, Settings } from '../api/request.ts';
import type { HandlerResponse } from '../api/response.ts';
import type { Store } from '../store/store.ts';
import type { Translation } from './naming.ts';
import { type Body, readBody } from './read-body.ts';
import { send, tell } from './send.ts';
import { isUnseen, sendPlanned, type Wires } from './wire-failures.ts';

/** How a request is served: by which operations, over which store, with which settings. */
interface Serving {
  readonly served: Planned & { readonly pipelines: Readonly<Record<EndpointId, Handler>>; readonly store: Store };
  readonly world: { readonly settings: Settings };
}

/**
 * What the routes keep of a request: how it is served, or why it cannot be; which operation it was, and the text of its
 * body.
 */
export interface RouteState {
  serving?: Serving;
  failure?: unknown;
  endpoint?: EndpointId;
  bodyText?: string;
  /** Whether the client sees no status. */
  isLost?: boolean;
}

/**
 * The parameters of a query, a repeated one as a list. Koa's own reading takes time in the square of their number: a
 * second for one request of 40 kB.
 */
export const queryOf = (query: string) => parse(query, '&', '=', { maxKeys: 0 });

/** The operation of a request; HEAD is served as GET, and node:http leaves the body out. */
const operationOf = (method: string, path: string): OperationAt | undefined =>
  operationAt(method === 'HEAD' ? 'GET' : method, path);

const requestOf = (
  { endpoint, param = '' }: OperationAt,
  path: string,
  { method, headers, querystring }: Context,
  body: Body | undefined,
  names: Translation,
): HandlerRequest => {
  const query = queryOf(querystring);
  const request = { endpoint, method, path, param, query, headers, body: undefined };
  if (body === undefined) return request;
  return 'refused' in body ? { ...request, unreadable: body.refused } : { ...request, body: names.inward(body.value) };
};

/** The answer of an operation, under the names of the server. */
const answerOf = async (
  { served, world }: Serving,
  request: HandlerRequest,
  names: Translation,
): Promise<HandlerResponse> =>
  names.outward(await served.pipelines[request.endpoint](request, served.store, world.settings));

/** Answers as a behaviour plans it. What is carried out after the answer tells `onError` what it throws. */
const answerPlanned = async (
  context: Context,
  planned: PlannedAnswer,
  work: () => Promise<HandlerResponse>,
  { wires, onError }: RouteParts,
): Promise<void> => {
  const { effect, answer } = planned;
  const own = effect === 'before' ? await work() : undefined;
  const sent = answer ?? own ?? { status: 200, body: undefined };
  const text = await sendPlanned(context.res, sent, planned, wires);
  const isLost = isUnseen(planned);
  (context.state as RouteState).isLost = isLost;
  tell(context, sent, isLost ? '' : text);
  if (effect === 'after') void work().catch(onError);
};

/** What routes need of the server. */
interface RouteParts {
  readonly names: Translation;
  readonly wires: Wires;
  readonly onError: (error: unknown) => void;
}

/**
 * Serves the operations of the endpoint table. Paths are matched as they stand: letter case and slashes count. Throws why
 * no world serves a request, for which nothing else is looked at.
 */
export const operations = (parts: RouteParts): Middleware => {
  const { names } = parts;
  return async (context, next) => {
    const state = context.state as RouteState;
    if (state.failure !== undefined) throw state.failure;
    const { serving } = state;
    const { path } = context;
    const operation = serving && operationOf(context.method, path);
    if (serving === undefined || operation === undefined) return next();
    const { planned, hold } = serving.served;
    const { endpoint } = operation;
    state.endpoint = endpoint;
    // A body of an operation that has none is never read; node:http discards it.
    const isRead = endpoints[endpoint].body !== null && planned?.wire !== 'early-answer';
    const body = isRead ? await readBody(context.req) : undefined;
    if (body !== undefined && 'text' in body) state.bodyText = body.text;
    if (hold !== undefined) await hold();
    const request = requestOf(operation, path, context, body, names);
    const work = (): Promise<HandlerResponse> => answerOf(serving, request, names);
    if (planned === undefined) send(context, await work());
    else await answerPlanned(context, planned, work, parts);
  };
};

const methods: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ method }) => method));

/** The methods that a path has, HEAD and OPTIONS among them; none when there is no such path. */
const methodsOf = (router: Router, path: string): string[] => {
  const own = [...methods, 'HEAD'].filter(method => operationOf(method, path) !== undefined);
  const all = [...own, ...router.match(path, 'GET').path.flatMap(layer => layer.methods)];
  return all.length === 0 ? [] : [...new Set([...all, 'OPTIONS'])].sort();
};

/**
 * Answers what neither an operation nor a route of `router` does: OPTIONS lists the methods of a path, other methods are refused with that list (405),
 * other paths are not found. Without the key, all but OPTIONS is refused as any operation would be.
 */
export const otherwise =
  (router: Router, refuse: (context: Context) => HandlerResponse | undefined): Middleware =>
  async context => {
    const allowed = methodsOf(router, context.path);
    const headers = { Allow: allowed.join(', ') };
    if (context.method === 'OPTIONS' && allowed.length > 0)
      return send(context, { status: 204, headers, body: undefined });
    const refused = refuse(context);
    if (refused !== undefined) return send(context, refused);
    const [status, message] =
      allowed.length > 0 ? [405, 'This path has no such method.'] : [404, 'There is no such path.'];
    send(context, { status, ...(status === 405 && { headers }), body: { status, message } });
  };
