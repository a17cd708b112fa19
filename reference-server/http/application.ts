import cors from '@koa/cors';
import Koa, { type Middleware } from 'koa';
import type { Authorise } from '../api/authorise.ts';
import { unauthorised } from '../api/pipeline.ts';
import { internalError } from '../api/response.ts';
import type { RequestLog } from '../tool/request-log.ts';
import { type ToolParts, toolRoutes } from '../tool/routes.ts';
import { type Logged, type Operations, otherwise, queryOf, routes } from './routes.ts';
import { send } from './send.ts';

/** The parts of the Koa application. */
export interface Parts extends Operations {
  readonly authorise: Authorise;
  readonly tool: ToolParts;
  readonly log: RequestLog;
  /** Called with every error that became a 500. */
  readonly onError: (error: unknown) => void;
  /** Headers that web pages may send and read besides. */
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
 * browser asks for. Requests without an origin are not touched.
 */
const crossOrigin = (apiKeyHeader: string, more: readonly string[]): Middleware => {
  const known = ['Content-Type', apiKeyHeader, ...more];
  const handling = (allowHeaders: readonly string[]) =>
    cors({
      origin: '*',
      allowMethods: 'GET,HEAD,POST,PUT,PATCH',
      allowHeaders: [...allowHeaders],
      exposeHeaders: ['Allow', ...more],
      maxAge: 600,
    });
  const handle = handling(known);
  return (context, next) => {
    if (context.headers.origin === undefined || context.path.startsWith(outside)) return next();
    const asked = furtherIn(context.get('Access-Control-Request-Headers'), known);
    return (asked.length === 0 ? handle : handling([...known, ...asked]))(context, next);
  };
};

/**
 * The Koa application: request log, errors, cross-origin requests, operations, tool paths, and what none of them
 * answers.
 */
export const application = ({ authorise, tool, log, onError, corsHeaders = [], ...operations }: Parts): Koa => {
  const app = new Koa();
  app.silent = true;
  const { now, naming } = operations.settings;
  const apiRoutes = routes(operations);
  const tools = toolRoutes(tool);
  app.use(async (context, next) => {
    try {
      await next();
    } catch (error) {
      onError(error);
      send(context, internalError);
    }
    if (!context.path.startsWith(api)) return;
    const { endpoint = null, bodyText = '' } = context.state as Logged;
    log.add({
      time: now(),
      method: context.method,
      url: context.url,
      endpoint,
      status: context.status,
      body: bodyText,
    });
  });
  app.use(crossOrigin(naming.apiKeyHeader, corsHeaders));
  app.use(apiRoutes.routes());
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
