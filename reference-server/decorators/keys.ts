import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { type Decorator, does, namesOf, type Operator } from './layers.ts';
import { onRequest, sentBy, validOf } from './operations.ts';
import { beforeHandling } from './wire.ts';

/** Decorators of the key check (section 5). */

/** The key that a request presents, and the header and key that are expected. */
export interface Presented {
  readonly request: HandlerRequest;
  /** The value of the key's header; empty if it is absent. */
  readonly sent: string;
  readonly absent: boolean;
  readonly key: string;
  /** The name of the header in lower case. */
  readonly header: string;
}

/**
 * Opens the operations to requests with no key or a near miss, as `accepts` decides; `sentence` describes those
 * requests.
 */
export const opensTo = (sentence: string, accepts: (presented: Presented) => boolean): Operator =>
  does(sentence, server => {
    const header = server.naming.apiKeyHeader.toLowerCase();
    const key = server.apiKey;
    return onRequest(request => {
      const given = request.headers[header];
      const sent = (Array.isArray(given) ? given[0] : given) ?? '';
      if (!accepts({ request, sent, absent: given === undefined, key, header })) return request;
      return { ...request, headers: { ...request.headers, [header]: key } };
    })(server);
  });

/** Disables the key check of the whole server, because the check is common to all operations. */
export const keyForgotten: Decorator = () => ({ decorateAuthorise: () => () => true });

/** Returns a key from the query or the body instead of the header, under the header's name in any letter case. */
export const keyIn = (where: 'query' | 'body', { request, header }: Presented): unknown => {
  const members = where === 'query' ? request.query : sentBy(request);
  return Object.entries(members).find(([name]) => name.toLowerCase() === header)?.[1];
};

/** Refuses the right key if the header's name is not spelled exactly as documented. */
export const headerCaseMatters: Decorator = server => {
  const { apiKeyHeader } = server.naming;
  return beforeHandling((request, _response, handle) => {
    const spelled = request.rawHeaders.some((name, index) => index % 2 === 0 && name === apiKeyHeader);
    if (!spelled) delete request.headers[apiKeyHeader.toLowerCase()];
    handle();
  })(server);
};

const workedBefore =
  (status: number, only: readonly string[]): Decorator =>
  () => {
    const works = new Map<EndpointId, Handler>();
    return {
      decorateOperation: (id, work) => {
        works.set(id, work);
        return work;
      },
      decorate: (id, handler) => async (request, store, settings) => {
        const answer = await handler(request, store, settings);
        if (answer.status !== status || request.unreadable !== undefined) return answer;
        const body = validOf(request, answer, only);
        // If the work itself refuses, nothing is done.
        await works
          .get(id)?.({ ...request, body }, store, settings)
          .catch(() => undefined);
        return answer;
      },
    };
  };

/**
 * Does the work of a request before refusing it. `status` is that of the late refusal; `only` names the members that
 * are stored if they are valid.
 */
export const worksBeforeRefusing = (status: 400 | 401, ...only: readonly string[]): Operator =>
  does(
    `${status === 401 ? 'A request without the key' : 'A refused request'} ${only.length > 0 ? `stores ${namesOf(only)}` : 'is carried out all the same'}.`,
    workedBefore(status, only),
  );
