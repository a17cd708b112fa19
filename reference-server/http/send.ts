import type { Context } from 'koa';
import type { Answer } from '../api/answer.ts';

/** Writes an answer: JSON in UTF-8, or no body at all. */
export const send = (context: Context, { status, headers, body }: Answer): void => {
  context.status = status;
  if (headers !== undefined) context.set(headers as Record<string, string>);
  if (body === undefined) {
    context.body = null;
    context.status = status;
    return;
  }
  context.set('Content-Type', 'application/json; charset=utf-8');
  context.body = JSON.stringify(body);
};
