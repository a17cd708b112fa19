import { parse } from 'node:querystring';
import { type OperationAt, operationAt } from '../../contracts/operation-at.ts';

/** Returns the operation of a request. HEAD is served as GET; node:http omits the body. */
export const operationOf = (method: string, path: string): OperationAt | undefined =>
  operationAt(method === 'HEAD' ? 'GET' : method, path);

/**
 * Parses a query; repeated parameters become lists. Koa's parser is quadratic in their number: a second for one 40 kB
 * request.
 */
export const queryOf = (query: string) => parse(query, '&', '=', { maxKeys: 0 });
