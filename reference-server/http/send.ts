import type { Context } from 'koa';
import type { Answer } from '../api/answer.ts';
import { jsonText } from '../api/json-text.ts';

/**
 * Writes an answer: JSON in UTF-8, or no body at all. It goes to the response as it is: all that Koa would find out about the body is
 * known here, and that work was a tenth of a request's time.
 */
export const send = (context: Context, { status, headers, body }: Answer): void => {
  const { res } = context;
  context.respond = false;
  if (res.headersSent || res.destroyed) return;
  if (headers !== undefined) for (const name of Object.keys(headers)) res.setHeader(name, headers[name] as string);
  if (body === undefined) {
    res.writeHead(status).end();
    return;
  }
  const text = jsonText(body);
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length });
  // ASCII is the same in both, and Latin-1 is copied where UTF-8 is encoded sign by sign.
  res.end(text, length === text.length ? 'latin1' : 'utf8');
};
