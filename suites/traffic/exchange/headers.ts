import type { ObservedHeaders, ObservedMessage } from './exchange.ts';

type Headers = ObservedMessage['headers'];

/** Returns the headers of a message; none if they are not recorded. */
export const knownIn = (headers: Headers): ObservedHeaders => (headers === 'not recorded' ? [] : headers);

/** Returns the values of a header as written (RFC 9110 section 5.2). `name` is in lower case. */
export const valuesOf = (headers: Headers, name: string): readonly string[] =>
  knownIn(headers).flatMap(([own, value]) => (own.toLowerCase() === name ? value : []));

/** Returns the members of a list header in lower case (RFC 9110 section 5.6.1). `name` is in lower case. */
export const listIn = (headers: Headers, name: string): readonly string[] =>
  valuesOf(headers, name)
    .flatMap(value => value.split(','))
    .map(member => member.trim().toLowerCase())
    .filter(member => member !== '');

/** True if a header is present and not blank. `name` is in any letter case. */
export const isFilled = (headers: Headers, name: string): boolean =>
  valuesOf(headers, name.toLowerCase()).some(value => value.trim() !== '');

/** Returns the headers of a flat list of alternating names and values, such as Node's `rawHeaders`. */
export const pairsOf = (raw: readonly unknown[]): ObservedHeaders =>
  Array.from({ length: raw.length >> 1 }, (_, index) => [String(raw[2 * index]), String(raw[2 * index + 1])]);
