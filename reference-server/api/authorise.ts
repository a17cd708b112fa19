import { createHash, timingSafeEqual } from 'node:crypto';
import type { Naming } from '../../contracts/target.ts';
import type { ApiRequest } from './request.ts';

/** Whether a request carries the key. */
export type Authorise = (request: Pick<ApiRequest, 'headers' | 'query' | 'body'>) => boolean;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The check of section 5: the key stands in the header and nowhere else. Digests are compared in constant time, so that neither the
 * length nor the beginning of the key can be measured.
 */
export const keyCheck = (apiKey: string, naming: Naming): Authorise => {
  const header = naming.apiKeyHeader.toLowerCase();
  const expected = digest(apiKey);
  return ({ headers }) => {
    const sent = headers[header];
    return typeof sent === 'string' && timingSafeEqual(digest(sent), expected);
  };
};
