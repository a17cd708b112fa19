import type { ApiRequest } from '../../api/request.ts';
import type { Defect } from '../fault.ts';
import { around } from './answers.ts';
import type { Members } from './members.ts';

/** One page of a list as it would be answered, and the whole list behind it. `data` and `pagination` may be changed. */
export interface ListAnswer {
  data: unknown[];
  readonly pagination: Members;
  readonly all: readonly unknown[];
  readonly page: number;
  readonly limit: number;
  readonly last: number;
}

/** Lists in the fixtures are no longer than this. */
const whole = { page: '1', limit: '100' };

/** Changes the pages of a list. */
export const inList = (change: (list: ListAnswer, request: ApiRequest) => void): Defect =>
  around(handler => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    if (answer.status !== 200) return answer;
    const body = structuredClone(answer.body) as Members & { data: unknown[]; pagination: Members };
    const { body: complete } = await handler({ ...request, query: whole }, store, settings);
    const limit = Number(body.pagination.itemsPerPage);
    const list: ListAnswer = {
      data: body.data,
      pagination: body.pagination,
      all: (complete as { data: readonly unknown[] }).data,
      page: Number(body.pagination.pageNumber),
      limit,
      last: Math.max(1, Math.ceil(Number(body.pagination.totalItems) / limit)),
    };
    change(list, request);
    return { ...answer, body: { ...body, data: list.data } };
  });

/** Changes `pagination` alone, in place. */
export const inPagination = (change: (pagination: Members, list: ListAnswer) => void): Defect =>
  inList(list => change(list.pagination, list));

/** Pages by another query than the one that was sent. */
export const asIfAsked = (query: (sent: ApiRequest['query']) => ApiRequest['query']): Defect =>
  around(
    handler => (request, store, settings) => handler({ ...request, query: query(request.query) }, store, settings),
  );

/** Changes the links to the next and the previous page, where there are any. */
export const inLinks = (change: (link: string, list: ListAnswer) => string): Defect =>
  inPagination((pagination, list) => {
    for (const name of ['nextPage', 'previousPage'] as const) {
      const link = pagination[name];
      if (typeof link === 'string') pagination[name] = change(link, list);
    }
  });
