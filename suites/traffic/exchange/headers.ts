import type { ObservedHeaders, ObservedMessage } from './exchange.ts';

type Headers = ObservedMessage['headers'];

/** The values of a header, each as it was written (RFC 9110 section 5.2). `name` is in lower case. */
export const valuesOf = (headers: Headers, name: string): readonly string[] =>
  headers === 'not recorded' ? [] : headers.flatMap(([own, value]) => (own.toLowerCase() === name ? value : []));

/** The members of a header that is a list, in lower case (RFC 9110 section 5.6.1). `name` is in lower case. */
export const listIn = (headers: Headers, name: string): readonly string[] =>
  valuesOf(headers, name)
    .flatMap(value => value.split(','))
    .map(member => member.trim().toLowerCase())
    .filter(member => member !== '');

/** True where a header is there with something in it. `name` is in any letter case. */
export const isFilled = (headers: Headers, name: string): boolean =>
  valuesOf(headers, name.toLowerCase()).some(value => value.trim() !== '');

/** Headers of a list in which each name stands before its value, as Node has what came over the wire. */
export const pairsOf = (raw: readonly unknown[]): ObservedHeaders =>
  Array.from({ length: raw.length >> 1 }, (_, index) => [String(raw[2 * index]), String(raw[2 * index + 1])]);
