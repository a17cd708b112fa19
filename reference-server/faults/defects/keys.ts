import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointId } from '../../../contracts/endpoint.ts';
import type { ErrorBody } from '../../api/answer.ts';
import type { ApiRequest, Handler } from '../../api/request.ts';
import type { Defect } from '../fault.ts';
import { sentBy } from './answers.ts';

/** What a request presents, and what it should: the key's header, and the key. */
export interface Presented {
  readonly request: ApiRequest;
  /** What stands in the header of the key; the empty text when it is absent. */
  readonly sent: string;
  readonly absent: boolean;
  readonly key: string;
  /** The name of the header, in lower case. */
  readonly header: string;
}

const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? (value[0] ?? '') : (value ?? '');

/** Opens the operations to requests that present no key, or not quite. */
export const opensTo =
  (accepts: (presented: Presented) => boolean): Defect =>
  ({ apiKey, naming }) => {
    const header = naming.apiKeyHeader.toLowerCase();
    return {
      decorate: (_id, handler) => (request, store, settings) => {
        const sent = textOf(request.headers[header]);
        const absent = request.headers[header] === undefined;
        if (!accepts({ request, sent, absent, key: apiKey, header })) return handler(request, store, settings);
        const headers: IncomingHttpHeaders = { ...request.headers, [header]: apiKey };
        return handler({ ...request, headers }, store, settings);
      },
    };
  };

/** Where a key stands that is not in its header: a member of the query or of the body, by the header's own name in any letter case. */
export const keyIn = (where: 'query' | 'body', { request, header }: Presented): unknown => {
  const members = where === 'query' ? request.query : sentBy(request);
  return Object.entries(members).find(([name]) => name.toLowerCase() === header)?.[1];
};

/** Refuses the right key where the header's name is not spelled as the documents have it. */
export const headerCaseMatters: Defect = ({ naming }) => ({
  decorateListener: listener => (request, response) => {
    const { rawHeaders } = request;
    const spelled = rawHeaders.some((name, index) => index % 2 === 0 && name === naming.apiKeyHeader);
    if (!spelled) delete request.headers[naming.apiKeyHeader.toLowerCase()];
    listener(request, response);
  },
});

/** Does the work of a request, and refuses it only then. `status`: of the refusal that comes too late; `only`: the members that are stored, as far as they are valid. */
export const worksBeforeRefusing =
  (status: number, ...only: readonly string[]): Defect =>
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
        const wrong = ((answer.body as ErrorBody).errors ?? []).map(({ property }) => property.split('.')[0]);
        const kept = Object.entries(sentBy(request)).filter(([name]) => only.includes(name) && !wrong.includes(name));
        const body = Object.fromEntries(kept);
        // What the work itself refuses stays refused.
        await works
          .get(id)?.({ ...request, body }, store, settings)
          .catch(() => undefined);
        return answer;
      },
    };
  };
