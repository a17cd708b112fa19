import type { HandlerRequest } from './request.ts';
import { type FieldError, Refused, refusal } from './response.ts';

/** Pages of lists (sections 2.1, 4.11 and 4.12). */

/** The page size when none is asked for (section 8). */
const defaultLimit = 10;
/** No page is longer; a higher limit is answered with this one, and `itemsPerPage` says so. */
export const largestLimit = 100;

/** A parameter of a query. Of a repeated one the first counts. */
export const parameterOf = (query: HandlerRequest['query'], name: 'limit' | 'page'): string | undefined => {
  const given = query[name];
  return Array.isArray(given) ? given[0] : given;
};

/** A whole number from 1, in digits; the default where the parameter is absent. */
const read = ({ query }: HandlerRequest, name: 'limit' | 'page', fallback: number, errors: FieldError[]): number => {
  const text = parameterOf(query, name);
  if (text === undefined) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1) errors.push({ property: name, errorMessage: 'must be a whole number from 1' });
  return value;
};

/** The page that a request asks for. Throws a 400 for a page or limit that is no whole number from 1. */
export const askedPage = (request: HandlerRequest) => {
  const errors: FieldError[] = [];
  const page = read(request, 'page', 1, errors);
  const limit = Math.min(read(request, 'limit', defaultLimit, errors), largestLimit);
  if (errors.length > 0) throw new Refused(refusal(400, 'The query is not valid.', errors));
  return { page, limit };
};

/** The link to a list on one page (section 2.1); empty, as the section allows, if no page holds so many. */
const linkToAll = (path: string, count: number): string =>
  count <= defaultLimit ? path : count <= largestLimit ? `${path}?limit=${count}` : '';

/**
 * A page of a list. One past the last is empty and links back to the last one. Links are relative to the origin, carry
 * `page` and `limit`, and keep the path as it was called.
 */
export const listPage = <T>({ page, limit }: ReturnType<typeof askedPage>, path: string, list: readonly T[]) => {
  const last = Math.max(1, Math.ceil(list.length / limit));
  const link = (number: number): string => `${path}?page=${number}&limit=${limit}`;
  return {
    items: list.slice((page - 1) * limit, page * limit),
    pagination: {
      itemsPerPage: limit,
      pageNumber: page,
      totalItems: list.length,
      nextPage: page < last ? link(page + 1) : null,
      previousPage: page > 1 ? link(Math.min(page - 1, last)) : null,
      all: linkToAll(path, list.length),
    },
  };
};
