import Koa from 'koa';
import type { Authorise } from '../api/authorise.ts';
import { unauthorised } from '../api/pipeline.ts';
import type { RequestLog } from '../tool/request-log.ts';
import { type Tool, toolRoutes } from '../tool/routes.ts';
import { crossOrigin } from './cors.ts';
import { internalError } from './failures.ts';
import { queryOf } from './query.ts';
import { type Operations, otherwise, routes, type Trace } from './routes.ts';
import { send } from './send.ts';

/** All that the Koa application is made of. */
export interface Parts extends Operations {
  readonly authorise: Authorise;
  readonly tool: Tool;
  readonly log: RequestLog;
  /** Told of every error that became a 500. */
  readonly onError: (error: unknown) => void;
}

const api = '/console/';

/** The Koa application: request log, errors, cross-origin requests, operations, tool paths, and what none of them answers. */
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
    const { endpoint = null, bodyText = '' } = context.state as Trace;
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
