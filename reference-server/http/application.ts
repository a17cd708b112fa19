import type { IncomingMessage } from 'node:http';
import cors from '@koa/cors';
import Koa, { type Context, type Middleware } from 'koa';
import type { Authorise } from '../api/authorise.ts';
import { unauthorised } from '../api/pipeline.ts';
import { responseTo } from '../api/response.ts';
import { toPage } from '../control/page-files.ts';
import { type ControlParts, controlRouter } from '../control/router.ts';
import type { Serving } from '../worlds/serving.ts';
import { ConnectionEnd } from './connection-end.ts';
import type { Translation } from './naming.ts';
import { otherwise, queryOf, type RouteState, routes } from './routes.ts';
import { type Answered, send } from './send.ts';

/** The parts of the Koa application. */
export interface Parts {
  readonly authorise: Authorise;
  readonly apiKeyHeader: string;
  readonly names: Translation;
  readonly servingOf: (request: IncomingMessage) => Serving | Promise<Serving>;
  readonly control: ControlParts;
  /** Called with every error that became a 500 or 503. */
  readonly onError: (error: unknown) => void;
  /** Headers that web pages may send besides. */
  readonly corsHeaders?: readonly string[];
}

const api = '/console/';
/** The `/_reference/` paths are for tools on this machine, not for web pages. */
const outside = '/_reference/';

/** Names of headers in a list (RFC 9110, section 5.6.1) without those that are known in any letter case; some at most. */
const furtherIn = (list: string, known: readonly string[]): string[] => {
  const lower = known.map(name => name.toLowerCase());
  const names = list.split(',').map(name => name.trim());
  return names.filter(name => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !lower.includes(name.toLowerCase())).slice(0, 50);
};

/**
 * Lets web pages of any origin use the API; the preflight allows the header of the key, `more`, and whatever headers the
 * browser asks for, and every header of an answer may be read. Requests without an origin are not touched.
 */
const crossOrigin = (apiKeyHeader: string, more: readonly string[]): Middleware => {
  const known = ['Content-Type', apiKeyHeader, ...more];
  const handling = (allowHeaders: readonly string[]) =>
    cors({
      origin: '*',
      allowMethods: 'GET,HEAD,POST,PUT,PATCH',
      allowHeaders: [...allowHeaders],
      exposeHeaders: '*',
      maxAge: 600,
    });
  const handle = handling(known);
  return (context, next) => {
    if (context.headers.origin === undefined || context.path.startsWith(outside)) return next();
    const asked = furtherIn(context.get('Access-Control-Request-Headers'), known);
    return (asked.length === 0 ? handle : handling([...known, ...asked]))(context, next);
  };
};

/** Tells the log of the world what became of a request. */
const record = (context: Context, { world, served }: Serving, begun: number, isLost: boolean): void => {
  const { endpoint = null, bodyText = '', answerText = '', refusal } = context.state as RouteState & Answered;
  world.log.add({
    time: world.settings.now(),
    took: Math.round((performance.now() - begun) * 100) / 100,
    method: context.method,
    url: context.url,
    endpoint,
    status: isLost ? null : context.status,
    rawHeaders: context.req.rawHeaders,
    body: bodyText,
    answerHeaders: context.res.getHeaders(),
    answer: answerText,
    refusal,
    behaviours: served.behaviours,
  });
};

/**
 * The Koa application: request log, errors, cross-origin requests, operations, control paths, and what none of them
 * answers.
 */
export const application = (parts: Parts): Koa => {
  const { authorise, apiKeyHeader, names, servingOf, control, onError, corsHeaders = [] } = parts;
  const app = new Koa();
  app.silent = true;
  const apiRoutes = routes(names);
  const tools = controlRouter(control);
  app.use(async (context, next) => {
    const begun = performance.now();
    const state = context.state as RouteState;
    const isApi = context.path.startsWith(api);
    let isLost = false;
    try {
      if (isApi) {
        const serving = servingOf(context.req);
        state.serving = serving instanceof Promise ? await serving : serving;
      }
    } catch (error) {
      state.failure = error;
    }
    try {
      await next();
    } catch (error) {
      if (error instanceof ConnectionEnd) {
        isLost = true;
        context.respond = false;
        if (error.how === 'drop') context.req.socket.destroy();
        else control.streams.stall(context);
      } else send(context, responseTo(error, onError));
    }
    if (state.serving !== undefined) record(context, state.serving, begun, isLost);
  });
  app.use(crossOrigin(apiKeyHeader, corsHeaders));
  // Thrown here, so that pages of other origins may read why.
  app.use((context, next) => {
    const { failure } = context.state as RouteState;
    if (failure !== undefined) throw failure;
    return next();
  });
  app.use(apiRoutes.routes());
  app.use(toPage);
  app.use(tools.routes());
  app.use(
    otherwise([apiRoutes, tools], ({ path, headers, querystring }) =>
      path.startsWith(api) && !authorise({ headers, query: queryOf(querystring), body: undefined })
        ? unauthorised
        : undefined,
    ),
  );
  return app;
};
