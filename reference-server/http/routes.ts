import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { OperationAt } from '../../contracts/operation-at.ts';
import type { Planned, PlannedAnswer } from '../api/planned.ts';
import type { Handler, HandlerRequest, Settings } from '../api/request.ts';
import { operationOf, queryOf } from '../api/request-target.ts';
import type { HandlerResponse } from '../api/response.ts';
import type { Store } from '../store/store.ts';
import { heldOpenDuring } from './held-open.ts';
import type { Translation } from './naming.ts';
import { type Body, readBody } from './read-body.ts';
import { send, tell } from './send.ts';
import { isUnseen, sendPlanned, type Wires } from './wire-failures.ts';

/** How a request is served: the operations, the store and the settings. */
interface Serving {
  readonly served: Planned & { readonly pipelines: Readonly<Record<EndpointId, Handler>>; readonly store: Store };
  readonly world: { readonly settings: Settings };
}

/** What the routes record about a request: how it is served, or why it cannot be, its operation and its body text. */
export interface RouteState {
  serving?: Serving;
  failure?: unknown;
  endpoint?: EndpointId;
  bodyText?: string;
  /** True if the client sees no status. */
  isLost?: boolean;
}

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

/** Runs the operation and translates its answer to the server's names. */
const answerOf = async (
  { served, world }: Serving,
  request: HandlerRequest,
  names: Translation,
): Promise<HandlerResponse> =>
  names.outward(await served.pipelines[request.endpoint](request, served.store, world.settings));

/** Answers as a behaviour plans. If the operation runs after the answer, its errors go to `onError`. */
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

/** The parts of the server that routes use. */
interface RouteParts {
  readonly names: Translation;
  readonly wires: Wires;
  readonly onError: (error: unknown) => void;
}

/**
 * Serves the operations of the endpoint table. Paths match exactly, including letter case and slashes. If no world
 * serves the request, throws the reason before anything else.
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
    // node:http discards the body of an operation that takes none.
    const isRead = endpoints[endpoint].body !== null && planned?.wire !== 'early-answer';
    const body = isRead ? await readBody(context.req) : undefined;
    if (body !== undefined && 'text' in body) state.bodyText = body.text;
    if (hold !== undefined) await heldOpenDuring(context.res, hold);
    const request = requestOf(operation, path, context, body, names);
    const work = (): Promise<HandlerResponse> => answerOf(serving, request, names);
    if (planned === undefined) send(context, await work());
    else await answerPlanned(context, planned, work, parts);
  };
};

const methods: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ method }) => method));

/** Returns the methods of a path, including HEAD and OPTIONS; none if there is no such path. */
const methodsOf = (router: Router, path: string): string[] => {
  const own = [...methods, 'HEAD'].filter(method => operationOf(method, path) !== undefined);
  const all = [...own, ...router.match(path, 'GET').path.flatMap(layer => layer.methods)];
  return all.length === 0 ? [] : [...new Set([...all, 'OPTIONS'])].sort();
};

/**
 * Answers requests without an operation or route: OPTIONS lists the methods of a path, other methods get 405 with that
 * list, other paths 404. Before the last two, `refuse` may answer, such as for a missing key.
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
