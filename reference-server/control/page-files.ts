import type { Context, Middleware } from 'koa';
import { pageFileNames, pageFiles } from '../page/files.ts';

type Part = keyof typeof pageFileNames;

/** The files of the page beside its document, by their paths below the prefix. */
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
 * Nothing but the files of this server is loaded, and no other page may frame this one or keep a hold of its window.
 * What clients sent is shown as text: the policy would stop it if it were ever taken for markup.
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

/** True of a browser that opens a page; programs that ask for nothing in particular are not meant. */
export const wantsPage = (context: Context): boolean => {
  context.vary('Accept');
  return context.accepts('json', 'html') === 'html';
};

/** Answers with a file of the page. */
export const sendPage = async (context: Context, part: Part): Promise<void> => {
  const files = await pageFiles();
  context.set(headers);
  context.type = types[part];
  context.body = files[part];
};

/** Whoever types the address of the page leaves out its last slash. */
export const toPage: Middleware = (context, next) => {
  if (context.path !== '/_reference' || !/^(GET|HEAD)$/.test(context.method)) return next();
  context.status = 308;
  context.redirect('/_reference/');
  return undefined;
};
