import type { ServerResponse } from 'node:http';
import type { Outcome } from './outcome.ts';

/** An outcome, and for a method that a path does not have, those it has. */
export type Reply = Outcome & { methods?: readonly string[] };

let sent = 0;

/** JSON as another writer would put it: indented, with a blank line before, all but ASCII escaped, slashes too. */
const written = (content: unknown): string =>
  `\n${JSON.stringify(content, null, 1)}\n`
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Sends an answer in pieces of unannounced length. Every result carries a number that no two answers share, for fields
 * that are not documented may hold anything. A refusal also ends the connection, and one without a reason has no body.
 */
export function send(response: ServerResponse, outcome: Reply): void {
  const { status, methods, ...rest } = outcome;
  response.statusCode = status;
  sent += 1;
  if (methods !== undefined && methods.length > 0) response.setHeader('Allow', methods.join(', '));
  if ('reason' in rest) response.setHeader('Connection', 'close');
  if (status === 429) response.setHeader('Retry-After', '0');
  if ('reason' in rest && rest.reason === '') {
    response.end();
    return;
  }
  const numbered = (item: unknown) => ({ ...(item as object), answerNumber: sent });
  const content =
    'reason' in rest
      ? { error: { number: status, reason: rest.reason } }
      : { ...rest, data: Array.isArray(rest.data) ? rest.data.map(numbered) : numbered(rest.data), took: 0.5 };
  const text = written(content);
  const type = 'reason' in rest ? 'application/problem+json' : 'application/json;charset=UTF-8';
  response.setHeader('Content-Type', type);
  response.setHeader('Set-Cookie', ['a=1', 'b=2']);
  response.write(text.slice(0, text.length >> 1));
  response.end(text.slice(text.length >> 1));
}
