import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Properties, Schema } from '../../contracts/dialect.ts';
import { memoized } from '../../contracts/memoized.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { queryOf } from '../api/request-target.ts';
import { type HandlerResponse, Refused, refusal } from '../api/response.ts';
import { type Body, readBody } from '../http/read-body.ts';
import { send } from '../http/send.ts';
import { ControlError, refuseInvalid } from '../tool/refusal.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { controlOf } from './control.ts';
import { type Access, controlRefusal } from './guard.ts';
import { controlDocument } from './openapi.ts';
import { pagePaths, sendPage, wantsPage } from './page-files.ts';
import type { ControlCall, ControlRoute } from './route.ts';
import { controlPrefix, controlRoutes, controlVersion } from './routes.ts';
import type { Streams } from './streams.ts';

/** Limits for a whole state: larger than a request of the API in bytes, and nested a few levels deeper. */
const stateLimit = 64 * 1024 * 1024;
const stateStructure = { levels: 220, parts: 1_000_000 };

/** Maximum total of such bodies being read at once, in bytes. */
const mostAtOnce = 2 * stateLimit;

/** The parts of the server that the control paths use. */
export interface ControlParts extends Access {
  readonly worlds: Worlds;
  /** The clock of the server. */
  readonly now: () => number;
  readonly streams: Streams;
}

/**
 * Parses a query. Throws a `ControlError` (400) for unknown or invalid parameters. What is to be an integer, and is
 * none, stays a text, so that validation refuses it.
 */
const queryFor = (properties: Properties, querystring: string): Readonly<Record<string, unknown>> => {
  const sent = Object.entries(queryOf(querystring)).map(([name, value]) => {
    const first = (Array.isArray(value) ? value[0] : value) ?? '';
    const isInteger = Object.hasOwn(properties, name) && properties[name]?.type === 'integer';
    return [name, isInteger && /^-?\d{1,15}$/.test(first) ? Number(first) : first] as const;
  });
  const query = Object.fromEntries(sent);
  const problems = validatorFor(querySchema(properties))(query);
  if (problems.length > 0) throw new ControlError(400, 'The query is not valid.', problems);
  return query;
};

/** The schema of a query: the parameters of the path, and the optional name of a world. */
const querySchema = memoized(
  (properties: Properties): Schema => ({
    type: 'object',
    properties: { ...properties, world: { type: 'string' } },
    additionalProperties: false,
  }),
);

const none: Properties = {};

/** The context of a request with a matching route. */
type RoutedContext = Context & { params: Record<string, string> };

const tooBusy = { ...refusal(503, 'Too many states are being sent at once.'), headers: { 'Retry-After': '1' } };

/** Returns a reader for whole states that limits concurrent bytes to `mostAtOnce`. */
const stateReading = (): ((request: IncomingMessage) => Promise<Body>) => {
  let reading = 0;
  return async request => {
    const size = Math.min(stateLimit, Number(request.headers['content-length'] ?? stateLimit));
    if (reading + size > mostAtOnce) return { refused: tooBusy };
    reading += size;
    try {
      return await readBody(request, stateLimit, stateStructure);
    } finally {
      reading -= size;
    }
  };
};

const bodyFor = async (
  { body, large }: ControlRoute,
  context: Context,
  readState: ReturnType<typeof stateReading>,
): Promise<unknown> => {
  if (body === undefined) return undefined;
  const read = await (large === true ? readState(context.req) : readBody(context.req));
  if ('refused' in read) throw new Refused(read.refused);
  refuseInvalid(body, read.value, 'The request body is not valid.');
  return read.value;
};

/** Returns the world of a call: the one named in the query, otherwise that of the API key. */
const worldOf = async (worlds: Worlds, context: Context, name: unknown): Promise<ServedWorld> => {
  const meant = await worlds.meant(context.headers);
  if (meant === undefined) throw new ControlError(401, 'The API key that was sent is none of this server.');
  const world = name === undefined ? meant : await worlds.named(String(name));
  if (world === undefined) throw new ControlError(404, 'There is no world of this name.');
  await world.refresh();
  return world;
};

const answerOf = (error: unknown): HandlerResponse => {
  if (error instanceof ControlError) return error.response();
  if (error instanceof Refused) return error.response;
  throw error;
};

/** Routes the control paths, under the version prefix and, for the oldest, also without it. */
export const controlRouter = (parts: ControlParts): Router => {
  const { worlds, now, streams } = parts;
  const readState = stateReading();
  const router = new Router({ prefix: controlPrefix, sensitive: true, strict: true });

  const callOf = async (route: ControlRoute, context: RoutedContext): Promise<ControlCall> => {
    const query = queryFor(route.query ?? none, context.querystring);
    const world = route.open === true ? worlds.defaultWorld : await worldOf(worlds, context, query.world);
    const control = controlOf(world, now);
    const { world: _name, ...others } = query;
    const body = await bodyFor(route, context, readState);
    return {
      control,
      world,
      worlds,
      controlOf: one => controlOf(one, now),
      param: name => context.params[name] ?? '',
      query: others,
      body,
    };
  };

  const guarded =
    (open: boolean, work: (context: RoutedContext) => Promise<void>) =>
    async (context: RoutedContext): Promise<void> => {
      const refused = controlRefusal(context.req, parts, open);
      if (refused !== undefined) return send(context, refused);
      try {
        await work(context);
      } catch (error) {
        send(context, answerOf(error));
      }
    };

  for (const route of controlRoutes) {
    const paths = [`/${controlVersion}${route.path}`, ...(route.unversioned === true ? [route.path] : [])];
    const { stream } = route;
    const work = guarded(route.open === true, async context => {
      const call = await callOf(route, context);
      if (stream === undefined) return send(context, { status: 200, body: await route.run(call) });
      const last = context.get('Last-Event-ID');
      const since = call.query.since ?? (/^\d{1,15}$/.test(last) ? Number(last) : undefined);
      if (!streams.open(context, listener => stream({ ...call, query: { since } }, listener)))
        send(context, refusal(503, 'There are too many streams.'));
    });
    for (const path of paths) router.register(path.replace(/\{(\w+)\}/g, ':$1'), [route.method], work);
  }
  router.get(
    '/',
    guarded(true, async context =>
      wantsPage(context)
        ? sendPage(context, 'document')
        : send(context, { status: 200, body: { openapi: `${controlPrefix}/openapi.json`, version: controlVersion } }),
    ),
  );
  for (const [path, part] of Object.entries(pagePaths))
    router.get(
      path,
      guarded(true, context => sendPage(context, part)),
    );
  router.get(
    '/openapi.json',
    guarded(true, async context => send(context, { status: 200, body: controlDocument() })),
  );
  return router;
};
