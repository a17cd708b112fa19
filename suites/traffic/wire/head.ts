import { listIn, type ObservedHeaders, valuesOf } from '../exchange/exchange.ts';

/** Why bytes cannot be read as HTTP/1; completes "not judged from here on: …". The bytes are passed on all the same. */
export class Unreadable extends Error {}

/** Maximum size of a message head, in bytes; a longer one is passed on but not judged. */
export const longestHead = 65_536;

/** The range of a text within a head. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The header lines of a head, folded lines joined. */
interface HeaderLines {
  readonly headers: ObservedHeaders;
  /** The ranges of the values of Host. */
  readonly hosts: readonly Span[];
}

/** The head of a request, with the position of its target. */
export interface RequestHead extends HeaderLines {
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  readonly targetFrom: number;
}

/** The head of an answer. */
export interface ResponseHead extends HeaderLines {
  readonly status: number;
}

/** A token character, as in methods and header names (RFC 9110 section 5.6.2). */
const sign = "[!#$%&'*+.^_`|~0-9A-Za-z-]";

const token = new RegExp(`^${sign}+$`);

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/** Returns a range without surrounding blanks. A regular expression would take quadratic time. */
function trimmed(text: string, start: number, end: number): Span {
  let [from, to] = [start, end];
  while (from < to && isBlank(text, from)) from += 1;
  while (to > from && isBlank(text, to - 1)) to -= 1;
  return { from, to };
}

/** Returns the ranges of the lines, without line ends; a lone line feed also ends a line (RFC 9112 section 2.2). */
function linesOf(text: string): Span[] {
  const lines: Span[] = [];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    lines.push({ from, to: end > from && text[end - 1] === '\r' ? end - 1 : end });
    from = end + 1;
  }
  return lines;
}

/** Reads header lines (RFC 9112 section 5). */
function headersIn(text: string, lines: readonly Span[]): HeaderLines {
  const found: (Span & { readonly name: string; readonly value: string })[] = [];
  for (const { from: start, to: end } of lines) {
    if (start === end) continue;
    if (isBlank(text, start)) {
      const last = found.pop();
      if (!last) throw new Unreadable('the head begins with a folded line');
      const { from, to } = trimmed(text, start, end);
      found.push({ ...last, value: `${last.value} ${text.slice(from, to)}`, to });
      continue;
    }
    const colon = text.indexOf(':', start);
    const name = colon < 0 || colon > end ? '' : text.slice(start, colon);
    if (!token.test(name)) throw new Unreadable('a line of the head is no header');
    const { from, to } = trimmed(text, colon + 1, end);
    found.push({ name, value: text.slice(from, to), from, to });
  }
  return {
    headers: found.map(({ name, value }) => [name, value]),
    hosts: found.filter(({ name }) => name.toLowerCase() === 'host'),
  };
}

/** Throws for NUL and a lone carriage return, because a server may take them for the end of a line or text. */
function refuseControls(text: string): void {
  if (/\0|\r(?!\n)/.test(text)) throw new Unreadable('the head holds a control character');
}

const requestLine = new RegExp(`^(${sign}+) (\\S+) HTTP/1\\.[01]$`);

/** Reads the head of a request (RFC 9112 section 3). Throws `Unreadable`. */
export function requestHead(bytes: Buffer): RequestHead {
  const text = bytes.toString('latin1');
  refuseControls(text);
  const lines = linesOf(text);
  const first = lines.findIndex(({ from, to }) => to > from);
  const { from, to } = lines[first] ?? { from: 0, to: 0 };
  const [, method = '', target = ''] = requestLine.exec(text.slice(from, to)) ?? [];
  if (method === '') throw new Unreadable('what the client sends is not HTTP/1');
  return { bytes, method, target, targetFrom: from + method.length + 1, ...headersIn(text, lines.slice(first + 1)) };
}

const statusLine = /^HTTP\/1\.\d (\d{3})(?: |$)/;

/** Reads the head of an answer (RFC 9112 section 4). Throws `Unreadable`. */
export function responseHead(bytes: Buffer): ResponseHead {
  const text = bytes.toString('latin1');
  refuseControls(text);
  const [first = { from: 0, to: 0 }, ...rest] = linesOf(text);
  const [, status] = statusLine.exec(text.slice(first.from, first.to)) ?? [];
  if (status === undefined) throw new Unreadable('what the target answers is not HTTP/1');
  return { status: Number(status), ...headersIn(text, rest) };
}

/**
 * Returns whether bytes may be the beginning of a message; otherwise they must not be held back. `text`: the first line
 * so far; `isWhole`: all of it.
 */
export type Beginning = (text: string, isWhole: boolean) => boolean;

const methodBegun = new RegExp(`^${sign}{0,64}( |$)`);

/** A request begins with a method, one blank and a target. */
export const requestBeginning: Beginning = (text, isWhole) => (isWhole ? requestLine : methodBegun).test(text);

/** An answer begins with the HTTP version. */
export const responseBeginning: Beginning = (text, isWhole) =>
  isWhole ? statusLine.test(text) : 'HTTP/1.'.startsWith(text.slice(0, 7));

/** How a body ends (RFC 9112 section 6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

const none: Framing = { kind: 'none' };

/** Returns the stated length; undefined if there is none. Throws if it is no number, or if two differ. */
function statedLength(headers: ObservedHeaders): number | undefined {
  const stated = new Set(valuesOf(headers, 'content-length').flatMap(value => value.split(',').map(one => one.trim())));
  if (stated.size === 0) return undefined;
  const [length = ''] = stated;
  if (stated.size > 1 || !/^\d{1,15}$/.test(length)) throw new Unreadable('the length that the head states is none');
  return Number(length);
}

const ofLength = (bytes: number): Framing => (bytes === 0 ? none : { kind: 'length', bytes });

/** Returns how the body of a request ends. Throws `Unreadable` if two servers might read it differently. */
export function requestFraming({ headers }: RequestHead): Framing {
  const codings = listIn(headers, 'transfer-encoding');
  const length = statedLength(headers);
  if (codings.length === 0) return ofLength(length ?? 0);
  if (length !== undefined) throw new Unreadable('the request states a length and a transfer coding');
  if (codings.at(-1) !== 'chunked') throw new Unreadable('the request has a transfer coding without an end');
  return { kind: 'chunked' };
}

/** Returns how the body of an answer ends. Interim answers (1xx) and answers to HEAD have none. */
export function responseFraming({ status, headers }: ResponseHead, method: string): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return none;
  const codings = listIn(headers, 'transfer-encoding');
  if (codings.length > 0) return { kind: codings.at(-1) === 'chunked' ? 'chunked' : 'until-close' };
  const length = statedLength(headers);
  return length === undefined ? { kind: 'until-close' } : ofLength(length);
}

/** The replacements in the head of a request. */
export interface Rewriting {
  /** The new value of Host; null keeps the client's. */
  readonly host: string | null;
  /** The path of the target's base URL, without trailing slash, to put before the path. */
  readonly basePath: string;
}

/** Scheme and authority of a request target in absolute form (RFC 9112 section 3.2.2). */
const absoluteForm = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** Returns the path and query of a request target, without scheme and authority. */
export function originForm(target: string): string {
  const [origin = ''] = absoluteForm.exec(target) ?? [];
  const rest = target.slice(origin.length);
  return origin !== '' && !rest.startsWith('/') ? `/${rest}` : rest;
}

function targetFor(target: string, { host, basePath }: Rewriting): string {
  const [origin = ''] = absoluteForm.exec(target) ?? [];
  if (origin === '') return target.startsWith('/') ? `${basePath}${target}` : target;
  const authority = origin.indexOf('//') + 2;
  return `${host === null ? origin : origin.slice(0, authority) + host}${basePath}${originForm(target)}`;
}

/** Returns the head with the target's Host and base path; every other byte stays unchanged. */
export function rewritten({ bytes, target, targetFrom, hosts }: RequestHead, rewriting: Rewriting): Buffer {
  const { host } = rewriting;
  const places = [
    { from: targetFrom, to: targetFrom + target.length, text: targetFor(target, rewriting) },
    ...(host === null ? [] : hosts.map(place => ({ ...place, text: host }))),
  ];
  if (places.every(({ from, to, text }) => bytes.toString('latin1', from, to) === text)) return bytes;
  let at = 0;
  const parts: Buffer[] = [];
  for (const { from, to, text } of places) {
    parts.push(bytes.subarray(at, from), Buffer.from(text, 'latin1'));
    at = to;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
