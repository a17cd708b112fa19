import type { IncomingMessage } from 'node:http';
import { withBody } from '../api/request-copy.ts';
import type { Decorator } from './layers.ts';
import { addressed, beforeHandling, beforeServer, messageOf, type Outgoing, reply } from './wire.ts';

/** Decorators of requests as sent: the text of their bodies, their headers, their paths. */

/** Replaces the body text of requests to these operations, or responds instead of reading it. */
export const onSentText =
  (change: (text: string, request: IncomingMessage) => string | Outgoing): Decorator =>
  server => {
    const here = addressed(server.endpoints, true);
    return {
      decorateListener: listener => (request, response) => {
        if (!here(request)) return void listener(request, response);
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const read = change(bytes.toString('latin1'), request);
          if (typeof read === 'string') listener(withBody(request, Buffer.from(read, 'latin1')), response);
          else reply(read)(request, response);
        });
      },
    };
  };

/** Refuses requests to these operations by their headers alone. */
export const refusesHeaders = (
  status: number,
  message: string,
  when: (headers: IncomingMessage['headers'], rawHeaders: readonly string[]) => boolean,
): Decorator =>
  beforeServer(({ headers, rawHeaders }) => (when(headers, rawHeaders) ? messageOf(status, message) : undefined), true);

/** Also serves these operations at other spellings of their paths; `plain` returns the canonical path. */
export const alsoAt =
  (plain: (path: string) => string, guarded: boolean): Decorator =>
  server => {
    const here = addressed(server.endpoints, true);
    const header = server.naming.apiKeyHeader.toLowerCase();
    return beforeHandling((request, _response, handle) => {
      const [path = '', query] = (request.url ?? '').split('?');
      const meant = `${plain(path)}${query === undefined ? '' : `?${query}`}`;
      if (plain(path) !== path && here(Object.assign(Object.create(request), { url: meant }))) {
        request.url = meant;
        if (!guarded) request.headers[header] = server.apiKey;
      }
      handle();
    })(server);
  };
