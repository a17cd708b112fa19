import { parse } from 'node:querystring';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
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

/** `/gates/{id}` as the router writes it. */
const pattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const requestOf = (
  id: EndpointId,
  context: Context & { params: Record<string, string> },
  body: Body | undefined,
  names: Translation,
): HandlerRequest => {
  const { param } = endpoints[id];
  const refused = body !== undefined && 'refused' in body ? body.refused : undefined;
  return {
    endpoint: id,
    method: context.method,
    path: context.path,
    param: param === null ? '' : (context.params[param] ?? ''),
    query: queryOf(context.querystring),
    headers: context.headers,
    body: body !== undefined && 'value' in body ? names.inward(body.value) : undefined,
    ...(refused && { unreadable: refused }),
  };
};

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
 * The routes of the operations, from the endpoint table. Paths are matched as they stand: letter case and slashes
 * count.
 */
export const routes = (parts: RouteParts): Router => {
  const { names } = parts;
  const router = new Router({ sensitive: true, strict: true });
  for (const id of endpointIds) {
    const { method, path, body: schema } = endpoints[id];
    router.register(pattern(path), [method], async context => {
      const state = context.state as RouteState;
      const { world, served } = state.serving as Serving;
      const { planned, hold } = served;
      state.endpoint = id;
      // A body of an operation that has none is never read; node:http discards it.
      const isRead = schema !== null && planned?.wire !== 'early-answer';
      const body = isRead ? await readBody(context.req) : undefined;
      if (body !== undefined && 'text' in body) state.bodyText = body.text;
      if (hold !== undefined) await hold();
      const work = () => served.pipelines[id](requestOf(id, context, body, names), served.store, world.settings);
      if (planned === undefined) send(context, names.outward(await work()));
      else await answerPlanned(context, planned, async () => names.outward(await work()), parts);
    });
  }
  return router;
};

/** The methods that a path of the API has, HEAD and OPTIONS among them; none when there is no such path. */
const methodsOf = (routers: readonly Router[], path: string): string[] => {
  const methods = routers.flatMap(router => router.match(path, 'GET').path).flatMap(layer => layer.methods);
  return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
};

/**
 * Answers what no route does: OPTIONS lists the methods of a path, other methods are refused with that list (405),
 * other paths are not found. Without the key, all but OPTIONS is refused as any operation would be.
 */
export const otherwise =
  (routers: readonly Router[], refuse: (context: Context) => HandlerResponse | undefined): Middleware =>
  async context => {
    const allowed = methodsOf(routers, context.path);
    const headers = { Allow: allowed.join(', ') };
    if (context.method === 'OPTIONS' && allowed.length > 0)
      return send(context, { status: 204, headers, body: undefined });
    const refused = refuse(context);
    if (refused !== undefined) return send(context, refused);
    const [status, message] =
      allowed.length > 0 ? [405, 'This path has no such method.'] : [404, 'There is no such path.'];
    send(context, { status, ...(status === 405 && { headers }), body: { status, message } });
  };
