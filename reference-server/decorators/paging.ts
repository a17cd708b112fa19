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

/** Shows other items on a page; those that it has where `data` gives none. */
export const showsData = (data: (list: ShownList) => readonly unknown[] | false): Decorator =>
  onList(list => {
    list.data = [...(data(list) || list.data)];
  });

/** How many items stand before a page. */
export const offset = ({ page, limit }: ShownList): number => (page - 1) * limit;

/** The items of a page that begins `by` items further on, all but the first page. */
const moved =
  (by: number) =>
  (list: ShownList): readonly unknown[] | false =>
    list.page > 1 && list.all.slice(offset(list) + by).slice(0, list.data.length);

/** Each page begins with the last item of the one before. */
export const overlaps = moved(-1);

/** Each page leaves out the first of its items. */
export const skips = moved(1);

/** The items of even pages come from a list in the opposite order. */
export const evenBackwards = (list: ShownList): readonly unknown[] | false =>
  list.page % 2 === 0 && list.all.toReversed().slice(offset(list), offset(list) + list.limit);

/** Shows another value of a member of `pagination`. */
export const paged = (
  member: 'all' | 'itemsPerPage' | 'nextPage' | 'pageNumber' | 'previousPage' | 'totalItems',
  change: (value: unknown, list: ShownList) => unknown,
): Decorator =>
  onList(list => {
    list.pagination[member] = change(list.pagination[member], list);
  });

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
