import { timingSafeEqual } from 'node:crypto';
import type { Naming } from '../../contracts/target.ts';
import type { HandlerRequest } from './request.ts';

/** Whether a request carries the key. */
export type Authorise = (request: Pick<HandlerRequest, 'headers' | 'query' | 'body'>) => boolean;

/**
 * The check of section 5: the key stands in the header and nowhere else. The comparison takes the same time wherever
 * the first difference is; for a key of another length, the expected key is compared with itself.
 */
export const keyCheck = (apiKey: string, naming: Naming): Authorise => {
  const header = naming.apiKeyHeader.toLowerCase();
  // Node reads header values as Latin-1.
  const expected = Buffer.from(apiKey, 'latin1');
  return ({ headers }) => {
    const sent = headers[header];
    if (typeof sent !== 'string') return false;
    const bytes = Buffer.from(sent, 'latin1');
    const sameLength = bytes.length === expected.length;
    return timingSafeEqual(sameLength ? bytes : expected, expected) && sameLength;
  };
};
