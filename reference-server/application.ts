import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context } from 'koa';
import type { Authorise } from './api/authorise.ts';
import { queryOf } from './api/request-target.ts';
import { responseTo } from './api/response.ts';
import { toPage } from './control/page-files.ts';
import { type ControlParts, controlRouter } from './control/router.ts';
import { unauthorised } from './handlers/pipeline.ts';
import { crossOrigin } from './http/cross-origin.ts';
import type { Translation } from './http/naming.ts';
import { operations, otherwise, type RouteState } from './http/routes.ts';
import { type Answered, send } from './http/send.ts';
import type { Serving } from './worlds/serving.ts';

/** The parts of the Koa application. */
interface Parts {
  readonly authorise: Authorise;
  readonly apiKeyHeader: string;
  readonly names: Translation;
  readonly servingOf: (request: IncomingMessage, response: ServerResponse) => Serving | Promise<Serving>;
  /** Resolves after the given time. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly control: ControlParts;
  /** Called with every error that becomes a 500 or 503. */
  readonly onError: (error: unknown) => void;
  /** Further headers that web pages may send. */
  readonly corsHeaders: readonly string[];
}

const api = '/console/';

/** Records a request in the log of its world. */
const record = (context: Context, { world, served }: Serving, begun: number): void => {
  const state = context.state as RouteState & Answered;
  const { endpoint = null, bodyText = '', answerText = '', refusal, isLost = false } = state;
  const { planned } = served;
  const wasAbandoned = context.res.destroyed && !context.res.headersSent;
  world.log.add({
    time: world.settings.now(),
    took: Math.round((performance.now() - begun) * 100) / 100,
    method: context.method,
    url: context.url,
    endpoint,
    status: isLost || wasAbandoned ? null : context.status,
    rawHeaders: context.req.rawHeaders,
    body: bodyText,
    answerHeaders: context.res.getHeaders(),
    answer: answerText,
    refusal,
    behaviours: served.behaviours,
    answeredBy: planned === undefined ? null : { behaviour: planned.behaviour, left: planned.left },
  });
};

/**
 * Creates the Koa application: request log, errors, cross-origin requests, operations, control paths and the fallback.
 */
export const application = (parts: Parts): Koa => {
  const { authorise, apiKeyHeader, names, servingOf, wait, control, onError, corsHeaders } = parts;
  const app = new Koa();
  app.silent = true;
  const tools = controlRouter(control);
  app.use(async (context, next) => {
    const begun = performance.now();
    const state = context.state as RouteState;
    const isApi = context.path.startsWith(api);
    let serving: Serving | undefined;
    try {
      if (isApi) {
        const decided = servingOf(context.req, context.res);
        serving = decided instanceof Promise ? await decided : decided;
        state.serving = serving;
      }
    } catch (error) {
      state.failure = error;
    }
    try {
      await next();
    } catch (error) {
      send(context, responseTo(error, onError));
    }
    if (serving !== undefined) record(context, serving, begun);
  });
  app.use(crossOrigin(apiKeyHeader, corsHeaders));
  // After the cross-origin headers, so that web pages can read errors too.
  app.use(operations({ names, wires: { wait, stall: control.streams.stall }, onError }));
  app.use(toPage);
  app.use(tools.routes());
  app.use(
    otherwise(tools, ({ path, headers, querystring }) =>
      path.startsWith(api) && !authorise({ headers, query: queryOf(querystring), body: undefined })
        ? unauthorised
        : undefined,
    ),
  );
  return app;
};
