import { membersOf } from '../../contracts/json.ts';
import { largestLimit } from '../api/page.ts';
import type { HandlerRequest } from '../api/request.ts';
import { isSuccess } from '../api/response.ts';
import type { Decorator } from './layers.ts';
import type { Mutable } from './members.ts';
import { around, onRequest } from './operations.ts';

/** One page of a list before it is shown, and the whole list. `data` and `pagination` may be changed. */
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

/** Changes the pages of lists; other answers stay as they are. */
export const onList = (change: (list: ShownList, request: HandlerRequest) => void): Decorator =>
  around(async (work, request) => {
    const response = await work();
    if (!isSuccess(response) || membersOf(response.body).pagination === undefined) return response;
    const body = structuredClone(response.body) as ListBody;
    const { data, pagination } = body;
    const all: unknown[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const query = { page: String(page), limit: String(largestLimit) };
      const whole = (await work({ ...request, query })).body as ListBody;
      all.push(...whole.data);
      last = lastOf(whole.pagination);
    }
    const [page, limit] = [Number(pagination.pageNumber), Number(pagination.itemsPerPage)];
    const list: ShownList = { data, pagination, all, page, limit, last: lastOf(pagination) };
    change(list, request);
    return { ...response, body: { ...body, data: list.data } };
  });

/** Shows other items on a page; leaves the page as it is if `data` returns false. */
export const showsData = (data: (list: ShownList) => readonly unknown[] | false): Decorator =>
  onList(list => {
    list.data = [...(data(list) || list.data)];
  });

/** Returns the number of items before a page. */
export const offset = ({ page, limit }: ShownList): number => (page - 1) * limit;

/** Shifts every page but the first by `by` items. */
const moved =
  (by: number) =>
  (list: ShownList): readonly unknown[] | false =>
    list.page > 1 && list.all.slice(offset(list) + by).slice(0, list.data.length);

/** Begins each page but the first with the last item of the previous page. */
export const overlaps = moved(-1);

/** Leaves out the first item of each page but the first. */
export const skips = moved(1);

/** Takes the items of even pages from the reversed list. */
export const evenBackwards = (list: ShownList): readonly unknown[] | false =>
  list.page % 2 === 0 && list.all.toReversed().slice(offset(list), offset(list) + list.limit);

/** Changes the value of a member of `pagination`. */
export const paged = (
  member: 'all' | 'itemsPerPage' | 'nextPage' | 'pageNumber' | 'previousPage' | 'totalItems',
  change: (value: unknown, list: ShownList) => unknown,
): Decorator =>
  onList(list => {
    list.pagination[member] = change(list.pagination[member], list);
  });

/** Changes only `pagination`, in place. */
export const onPagination = (
  change: (pagination: Mutable, list: ShownList, request: HandlerRequest) => void,
): Decorator => onList((list, request) => change(list.pagination, list, request));

/** Changes the links of a page that are not null; by default those to the next and the previous page. */
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

/** Replaces the query of a request. */
export const onQuery = (change: (query: HandlerRequest['query']) => HandlerRequest['query']): Decorator =>
  onRequest(request => ({ ...request, query: change(request.query) }));
