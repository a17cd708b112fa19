import { createHash, randomUUID } from 'node:crypto';

/** The default prefix of sandbox keys. */
export const defaultPrefix = 'sandbox_';

/** Returns a new key without the prefix, so that no mistyped copy of it opens a sandbox. */
export const newKey = (prefix: string): string => `${prefix.startsWith('o') ? 'its_own' : 'own'}_${randomUUID()}`;

/** Returns the world's name for a key. It is a hash, because names appear in files, logs and pages. */
export const worldNameOf = (key: string): string =>
  `sandbox-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;

/** Says what is wrong with a prefix for sandbox keys; undefined if it is valid. */
export const prefixFault = (prefix: string): string | undefined =>
  /^[\w.~+/=-]{1,199}$/.test(prefix)
    ? undefined
    : `${JSON.stringify(prefix)} begins no key: those of sandboxes hold at most 200 letters, digits and . _ ~ + / = -`;

/** Valid keys of worlds. A header that was sent twice contains a comma, and so is no key. */
export const keyPattern = /^[\w.~+/=-]{1,200}$/;
