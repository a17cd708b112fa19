import { timingSafeEqual } from 'node:crypto';
import type { Naming } from '../../contracts/target.ts';
import type { HandlerRequest } from './request.ts';

/** Whether a request carries a key of the server. */
export type Authorise = (request: Pick<HandlerRequest, 'headers' | 'query' | 'body'>) => boolean;

/** What a key may be used for (section 5 shows no permissions). */
export const keyRoles = ['read-write', 'read-only'] as const;

/** A key of the server. */
export interface ApiKey {
  /** What the key is called where it must not be shown. */
  readonly name: string;
  readonly key: string;
  /** `read-write` when absent. Writes with a key that is `read-only` are answered 403. */
  readonly role?: (typeof keyRoles)[number];
  /** From then on, by the clock of the world, it is refused (401); milliseconds since 1970. */
  readonly expires?: number;
}

/**
 * True if a key is the expected one. Takes the same time wherever the first difference is: a key of another length is
 * replaced by the expected one.
 */
export const isSameKey = (sent: Buffer, expected: Buffer): boolean => {
  const sameLength = sent.length === expected.length;
  return timingSafeEqual(sameLength ? sent : expected, expected) && sameLength;
};

/** Finds the key that a request carries: it stands in the header and nowhere else (section 5). */
export const keyFinder = (
  keys: readonly ApiKey[],
  naming: Naming,
): ((request: Pick<HandlerRequest, 'headers'>) => ApiKey | undefined) => {
  const header = naming.apiKeyHeader.toLowerCase();
  // Node reads header values as Latin-1.
  const expected = keys.map(key => ({ key, bytes: Buffer.from(key.key, 'latin1') }));
  return ({ headers }) => {
    const sent = headers[header];
    if (typeof sent !== 'string') return undefined;
    const given = Buffer.from(sent, 'latin1');
    let found: ApiKey | undefined;
    for (const { key, bytes } of expected) if (isSameKey(given, bytes)) found = key;
    return found;
  };
};

/** A value that a header can carry: Latin-1 without control characters, and without the blanks that HTTP cuts off. */
const sendable = /^(?![\t ])[\t\x20-\x7e\x80-\xff]*(?<![\t ])$/;

/** Refuses keys that are empty or cannot be sent, and keys or names that occur twice. The RangeError shows no key. */
export const refuseKeys = (keys: readonly ApiKey[]): void => {
  for (const [index, { name, key }] of keys.entries()) {
    const before = keys.slice(0, index);
    if (key === '') throw new RangeError(`the API key ${name} is empty`);
    if (!sendable.test(key)) throw new RangeError(`the API key ${name} has characters that no header can carry`);
    if (before.some(other => other.name === name)) throw new RangeError(`two API keys are called ${name}`);
    const twin = before.find(other => other.key === key);
    if (twin !== undefined) throw new RangeError(`the API keys ${twin.name} and ${name} are the same`);
  }
};
