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
 * Finds the key that a request carries: it stands in the header and nowhere else (section 5). A comparison takes the
 * same time wherever the first difference is; for a key of another length, the expected key is compared with itself.
 */
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
    for (const { key, bytes } of expected) {
      const sameLength = given.length === bytes.length;
      if (timingSafeEqual(sameLength ? given : bytes, bytes) && sameLength) found = key;
    }
    return found;
  };
};

/** Refuses keys that cannot be told apart, or cannot be sent, by a RangeError that shows none of them. */
export const refuseKeys = (keys: readonly ApiKey[]): void => {
  for (const [index, { name, key }] of keys.entries()) {
    const before = keys.slice(0, index);
    if (key === '') throw new RangeError(`the API key ${name} is empty`);
    if (before.some(other => other.name === name)) throw new RangeError(`two API keys are called ${name}`);
    const twin = before.find(other => other.key === key);
    if (twin !== undefined) throw new RangeError(`the API keys ${twin.name} and ${name} are the same`);
  }
};
