import { largestLimit } from '../api/page.ts';
import type { Handler, HandlerRequest } from '../api/request.ts';
import { isSuccess } from '../api/response.ts';
import type { Decorator } from './layers.ts';
import type { Mutable } from './members.ts';
import { around, onRequest } from './operations.ts';

/** One page of a list as it would be shown, and the whole list behind it. `data` and `pagination` may be changed. */
export interface ShownList {
  data: unknown[];
  readonly pagination: Mutable;
  readonly all: readonly unknown[];
  readonly page: number;
  readonly limit: number;
  readonly last: number;
}

type ListBody = Mutable & { data: unknown[]; pagination: Mutable };

const lastOf = ({ totalItems, itemsPerPage }: Mutable): number =>
  Math.max(1, Math.ceil(Number(totalItems) / Number(itemsPerPage)));

/** Changes the pages that a handler lists. */
export const changingList =
  (change: (list: ShownList, request: HandlerRequest) => void) =>
  (handler: Handler): Handler =>
  async (request, store, settings) => {
    const response = await handler(request, store, settings);
    if (!isSuccess(response)) return response;
    const body = structuredClone(response.body) as ListBody;
    const { data, pagination } = body;
    const all: unknown[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const query = { page: String(page), limit: String(largestLimit) };
      const whole = (await handler({ ...request, query }, store, settings)).body as ListBody;
      all.push(...whole.data);
      last = lastOf(whole.pagination);
    }
    const [page, limit] = [Number(pagination.pageNumber), Number(pagination.itemsPerPage)];
    const list: ShownList = { data, pagination, all, page, limit, last: lastOf(pagination) };
    change(list, request);
    return { ...response, body: { ...body, data: list.data } };
  };

/** Changes the pages of lists. */
export const onList = (change: Parameters<typeof changingList>[0]): Decorator => around(changingList(change));

/** Changes `pagination` alone, in place. */
export const onPagination = (
  change: (pagination: Mutable, list: ShownList, request: HandlerRequest) => void,
): Decorator => onList((list, request) => change(list.pagination, list, request));

/** Changes the links of a page, where there are any; those to the next and the previous page unless told otherwise. */
export const onLinks = (
  change: (link: string, list: ShownList, request: HandlerRequest) => string,
  names: readonly string[] = ['nextPage', 'previousPage'],
): Decorator =>
  onPagination((pagination, list, request) => {
    for (const name of names) {
      const link = pagination[name];
      if (typeof link === 'string') pagination[name] = change(link, list, request);
    }
  });

/** Pages by another query than the one that was sent. */
export const onQuery = (change: (query: HandlerRequest['query']) => HandlerRequest['query']): Decorator =>
  onRequest(request => ({ ...request, query: change(request.query) }));
