import { createHash, randomUUID } from 'node:crypto';

/** What the keys of sandboxes begin with. */
export const defaultPrefix = 'sandbox_';

/** A key that does not begin with the prefix, so that no key that resembles it does. */
export const newKey = (prefix: string): string => `${prefix.startsWith('o') ? 'its_own' : 'own'}_${randomUUID()}`;

/** The name of the world of a key: it does not tell the key, as it stands in files, logs and pages. */
export const worldNameOf = (key: string): string =>
  `sandbox-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;

/** What is wrong with a prefix, of which the keys of worlds are to begin; undefined where there are such keys. */
export const prefixFault = (prefix: string): string | undefined =>
  /^[\w.~+/=-]{1,199}$/.test(prefix)
    ? undefined
    : `${JSON.stringify(prefix)} begins no key: those of sandboxes hold at most 200 letters, digits and . _ ~ + / = -`;

/** What the key of a world may hold. A header that was sent twice holds a comma, and is no key. */
export const keyPattern = /^[\w.~+/=-]{1,200}$/;
