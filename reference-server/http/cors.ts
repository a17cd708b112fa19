import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** The `/_reference/` paths are for tools on this machine, not for web pages. */
const outside = '/_reference/';

/** Lets web pages of any origin use the API; the preflight allows the header of the key. Requests without an origin pass untouched. */
export const crossOrigin = (apiKeyHeader: string): Middleware => {
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
