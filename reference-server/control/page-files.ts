import type { Context, Middleware } from 'koa';
import { pageFileNames, pageFiles } from '../page/files.ts';

type Part = keyof typeof pageFileNames;

/** The script and the style of the page, by their paths below the prefix. */
export const pagePaths: Readonly<Record<string, Part>> = {
  [`/${pageFileNames.script}`]: 'script',
  [`/${pageFileNames.style}`]: 'style',
};

const types = {
  document: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
} as const satisfies Record<Part, string>;

/**
 * Only files of this server are loaded, and no other page may frame this one or access its window. The page shows
 * client data as text; the policy blocks it if it is ever treated as markup.
 */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
} as const;

/** True if a browser opens the page. Programs that accept anything get JSON. */
export const wantsPage = (context: Context): boolean => {
  context.vary('Accept');
  return context.accepts('json', 'html') === 'html';
};

/** Sends a file of the page. */
export const sendPage = async (context: Context, part: Part): Promise<void> => {
  const files = await pageFiles();
  context.set(headers);
  context.type = types[part];
  context.body = files[part];
};

/** Redirects the address of the page without its final slash. */
export const toPage: Middleware = (context, next) => {
  if (context.path !== '/_reference' || !/^(GET|HEAD)$/.test(context.method)) return next();
  context.status = 308;
  context.redirect('/_reference/');
  return undefined;
};
