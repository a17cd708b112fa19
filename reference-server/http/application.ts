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
}

const api = '/console/';
/** The `/_reference/` paths are for tools on this machine, not for web pages. */
const outside = '/_reference/';

/**
 * Lets web pages of any origin use the API; the preflight allows the header of the key. Requests without an origin are
 * not touched.
 */
const crossOrigin = (apiKeyHeader: string): Middleware => {
  const handle = cors({
    origin: '*',
    allowMethods: 'GET,HEAD,POST,PUT,PATCH',
    allowHeaders: ['Content-Type', apiKeyHeader],
    exposeHeaders: ['Allow'],
    maxAge: 600,
  });
  return (context, next) =>
    context.headers.origin === undefined || context.path.startsWith(outside) ? next() : handle(context, next);
};

/**
 * The Koa application: request log, errors, cross-origin requests, operations, tool paths, and what none of them
 * answers.
 */
export const application = ({ authorise, tool, log, onError, ...operations }: Parts): Koa => {
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
  app.use(crossOrigin(naming.apiKeyHeader));
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
