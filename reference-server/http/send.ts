import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { jsonText } from '../api/json-text.ts';
import type { HandlerResponse } from '../api/response.ts';

/** Writes an answer: JSON in UTF-8, or no body at all. Does nothing where an answer is on its way already, or nobody is there to read it. */
export const write = (response: ServerResponse, { status, headers, body }: HandlerResponse): void => {
  if (response.headersSent || response.destroyed) return;
  if (headers !== undefined) for (const name of Object.keys(headers)) response.setHeader(name, headers[name] as string);
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = jsonText(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length });
  // ASCII is the same in both, and Latin-1 is copied where UTF-8 is encoded sign by sign.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
};

/**
 * Writes an answer past Koa: all that it would find out about the body is known here, and that work was a tenth of a request's time.
 */
export const send = (context: Context, answer: HandlerResponse): void => {
  context.respond = false;
  write(context.res, answer);
};
