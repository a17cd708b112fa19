import type { IncomingMessage, RequestListener } from 'node:http';
import { type HandlerResponse, refusal } from '../api/response.ts';
import { write } from './send.ts';

const malformed: HandlerResponse = {
  ...refusal(400, 'This is not a valid HTTP request.'),
  headers: { Connection: 'close' },
};

/** Captures the path and query of an absolute URL. */
const absolute = /^https?:\/\/[^/?#]+([/?].*)?$/is;

/**
 * Returns the path and query of a request target (RFC 9112, section 3.2), which may be a whole URL. Undefined if it is
 * neither.
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

/** Refuses, in JSON, requests that node:http accepts although RFC 9112 forbids them. */
export const admitting =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const path = pathOf(request.url ?? '');
    if (path !== undefined && namesItsHost(request)) {
      request.url = path;
      // node:http stops reading after an Upgrade header, even if nobody upgrades, so the connection cannot be reused.
      if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
      listener(request, response);
      return;
    }
    write(response, malformed);
  };
