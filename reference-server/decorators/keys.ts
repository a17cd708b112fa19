import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { type Decorator, does, namesOf, type Operator } from './layers.ts';
import { onRequest, sentBy, validOf } from './operations.ts';
import { beforeHandling } from './wire.ts';

/** Decorators of the key check (section 5). */

/** What a request presents, and what it should: the key's header, and the key. */
export interface Presented {
  readonly request: HandlerRequest;
  /** What stands in the header of the key; the empty text when it is absent. */
  readonly sent: string;
  readonly absent: boolean;
  readonly key: string;
  /** The name of the header, in lower case. */
  readonly header: string;
}

/** Opens the operations to requests that present no key, or not quite; `sentence` says to which. */
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

/** Lets everything through the key check of the whole server: what is said of one operation holds for all. */
export const keyForgotten: Decorator = () => ({ decorateAuthorise: () => () => true });

/**
 * A key that stands elsewhere than in its header: in the query or the body, under the header's own name in any letter
 * case.
 */
export const keyIn = (where: 'query' | 'body', { request, header }: Presented): unknown => {
  const members = where === 'query' ? request.query : sentBy(request);
  return Object.entries(members).find(([name]) => name.toLowerCase() === header)?.[1];
};

/** Refuses the right key where the header's name is not spelled as the documents have it. */
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
        // What the work itself refuses stays refused.
        await works
          .get(id)?.({ ...request, body }, store, settings)
          .catch(() => undefined);
        return answer;
      },
    };
  };

/**
 * Does the work of a request, and refuses it only then. `status` is that of the refusal that comes too late; `only` are
 * the members that are stored, as far as they are valid.
 */
export const worksBeforeRefusing = (status: 400 | 401, ...only: readonly string[]): Operator =>
  does(
    `${status === 401 ? 'A request without the key' : 'A refused request'} ${only.length > 0 ? `stores ${namesOf(only)}` : 'is carried out all the same'}.`,
    workedBefore(status, only),
  );
