import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** The `/_reference/` paths are for local tools, not for web pages. */
const outside = '/_reference/';

/** Returns up to 50 header names of a list (RFC 9110, section 5.6.1), without the known ones in any letter case. */
const furtherIn = (list: string, known: readonly string[]): string[] => {
  const lower = known.map(name => name.toLowerCase());
  const names = list.split(',').map(name => name.trim());
  return names.filter(name => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !lower.includes(name.toLowerCase())).slice(0, 50);
};

/**
 * Lets web pages of any origin use the API. Preflights allow the header of the key, `more`, and all headers that the
 * browser asks for; every answer header is readable. Requests without an origin pass unchanged.
 */
export const crossOrigin = (apiKeyHeader: string, more: readonly string[]): Middleware => {
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
