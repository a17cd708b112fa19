import { request } from 'undici';
import { answerSchema, type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { pathOf } from '../testing/started.ts';

/** Sends a request to a server on a port and parses the response. Throws where it is no 200. */
// biome-ignore lint/suspicious/noExplicitAny: callers look into answers of every shape
export const asked = async (port: number, method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await request(`http://127.0.0.1:${port}${path}`, {
    method: method as 'GET',
    // Connections are closed: the test counts those that the server has open.
    reset: true,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { 'SERVICE-API-KEY': 'reference-key', 'content-type': 'application/json' },
  });
  const json = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} gave ${answer.statusCode}`);
  return json;
};

/**
 * Walks a list to its end and gives its items, and what is wrong with it: each page keeps the contract, all say the
 * same total, items are as many as that, and no two are the same.
 */
export const walked = async (
  port: number,
  id: EndpointId,
  param: string,
  limit: number,
): Promise<{ readonly items: readonly Record<string, unknown>[]; readonly problems: readonly string[] }> => {
  const items: Record<string, unknown>[] = [];
  const problems: string[] = [];
  const { itemKey } = endpoints[id];
  const totals = new Set<number>();
  for (let page = 1, more = true; more; page++) {
    const answer = await asked(port, 'GET', `${pathOf(id, param)}?page=${page}&limit=${limit}`);
    for (const { pointer, message } of validatorFor(answerSchema(id))(answer))
      problems.push(`${id}: page ${page}: ${pointer} ${message}`);
    items.push(...answer.data);
    totals.add(answer.pagination.totalItems);
    more = answer.pagination.nextPage !== null;
  }
  if (totals.size !== 1 || !totals.has(items.length))
    problems.push(`${id}: ${items.length} items, and totals of ${[...totals].join(' and ')}`);
  const keys = items.map(item => JSON.stringify(itemKey.map(member => item[member])));
  if (itemKey.length > 0 && new Set(keys).size < keys.length) problems.push(`${id}: items stand twice`);
  return { items, problems };
};
