import type { IncomingMessage, RequestListener } from 'node:http';
import { type HandlerResponse, refusal } from '../api/response.ts';
import { write } from './send.ts';

const malformed: HandlerResponse = {
  ...refusal(400, 'This is not a valid HTTP request.'),
  headers: { Connection: 'close' },
};

/** The authority of an absolute target, and what follows it. */
const absolute = /^https?:\/\/[^/?#]+([/?].*)?$/is;

/**
 * A request target as a path, with its query (RFC 9112, section 3.2): clients may send the whole URL. Undefined where
 * it is neither.
 */
const pathOf = (target: string): string | undefined => {
  if (target.startsWith('/') || target === '*') return target;
  const match = absolute.exec(target);
  if (match === null) return undefined;
  const [, rest = '/'] = match;
  return rest.startsWith('?') ? `/${rest}` : rest;
};

/** HTTP/1.1 requires exactly one Host (RFC 9112, section 3.2); node:http keeps the first of several. */
const namesItsHost = ({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
};

/** Refuses, in JSON, requests that node:http lets pass although RFC 9112 does not allow them. */
export const admitting =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path !== undefined && namesItsHost(request)) {
      request.url = path;
      // node:http reads nothing that follows an Upgrade header, although nobody upgrades: the connection is of no more
      // use.
      if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
      listener(request, response);
      return;
    }
    write(response, malformed);
  };
