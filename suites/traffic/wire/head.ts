import type { ObservedHeaders } from '../exchange/exchange.ts';

/** Why bytes cannot be read as HTTP/1: completes "not judged from here on: …". They are passed on all the same. */
export class Unreadable extends Error {}

/** Longest head of a message that is read, in bytes; what is longer is passed on and not judged. */
export const longestHead = 65_536;

/** A header as it was written. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** A header, and where its value stands among the bytes of the head. */
export interface HeaderLine extends Field {
  readonly from: number;
  readonly to: number;
}

/** The head of a request: what the first line says, and where the target stands in it. */
export interface RequestHead {
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  readonly targetFrom: number;
  readonly isHttp11: boolean;
  readonly lines: readonly HeaderLine[];
}

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly isHttp11: boolean;
  readonly lines: readonly HeaderLine[];
}

/** Headers as they are observed: without their places. */
export const observed = (lines: readonly Field[]): ObservedHeaders => lines.map(({ name, value }) => [name, value]);

/** The values of a header, each as it was written (RFC 9110 section 5.2). */
export const valuesOf = (lines: readonly Field[], name: string): readonly string[] =>
  lines.filter(line => line.name.toLowerCase() === name).map(line => line.value);

/** The members of a header that is a list, in lower case (RFC 9110 section 5.6.1). */
export const membersOf = (lines: readonly Field[], name: string): readonly string[] =>
  valuesOf(lines, name)
    .flatMap(value => value.split(','))
    .map(member => member.trim().toLowerCase())
    .filter(member => member !== '');

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/** Where a piece of text begins and ends without the blanks around it. A pattern would take quadratic time. */
function trimmed(text: string, start: number, end: number): readonly [from: number, to: number] {
  let [from, to] = [start, end];
  while (from < to && isBlank(text, from)) from += 1;
  while (to > from && isBlank(text, to - 1)) to -= 1;
  return [from, to];
}

/** The lines of a head with their places, without their ends; a lone line feed ends one too (RFC 9112 section 2.2). */
function linesOf(text: string): { from: number; to: number }[] {
  const lines: { from: number; to: number }[] = [];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    lines.push({ from, to: end > from && text[end - 1] === '\r' ? end - 1 : end });
    from = end + 1;
  }
  return lines;
}

/** Reads the header lines of a head (RFC 9112 section 5), a folded one as one line. */
function headersIn(text: string, lines: readonly { from: number; to: number }[]): HeaderLine[] {
  const headers: HeaderLine[] = [];
  for (const { from: start, to: end } of lines) {
    if (start === end) continue;
    if (isBlank(text, start)) {
      const last = headers.pop();
      if (last === undefined) throw new Unreadable('the head begins with a folded line');
      const [from, to] = trimmed(text, start, end);
      headers.push({ ...last, value: `${last.value} ${text.slice(from, to)}`, to });
      continue;
    }
    const colon = text.indexOf(':', start);
    const name = colon < 0 || colon > end ? '' : text.slice(start, colon);
    if (!token.test(name)) throw new Unreadable('a line of the head is no header');
    const [from, to] = trimmed(text, colon + 1, end);
    headers.push({ name, value: text.slice(from, to), from, to });
  }
  return headers;
}

/** Throws for a character that no head holds: a server may take it for the end of a line, or of the text. */
function refuseControls(text: string): void {
  if (/\0|\r(?!\n)/.test(text)) throw new Unreadable('the head holds a control character');
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.([01])$/;

/** Reads the head of a request (RFC 9112 section 3). Throws `Unreadable`. */
export function requestHead(bytes: Buffer): RequestHead {
  const text = bytes.toString('latin1');
  refuseControls(text);
  const lines = linesOf(text);
  const first = lines.findIndex(({ from, to }) => to > from);
  const { from, to } = lines[first] ?? { from: 0, to: 0 };
  const [, method = '', target = '', minor] = requestLine.exec(text.slice(from, to)) ?? [];
  if (method === '') throw new Unreadable('what the client sends is not HTTP/1');
  return {
    bytes,
    method,
    target,
    targetFrom: from + method.length + 1,
    isHttp11: minor === '1',
    lines: headersIn(text, lines.slice(first + 1)),
  };
}

const statusLine = /^HTTP\/1\.(\d) (\d{3})(?: |$)/;

/** Reads the head of an answer (RFC 9112 section 4). Throws `Unreadable`. */
export function responseHead(bytes: Buffer): ResponseHead {
  const text = bytes.toString('latin1');
  refuseControls(text);
  const [first = { from: 0, to: 0 }, ...rest] = linesOf(text);
  const [, minor, status] = statusLine.exec(text.slice(first.from, first.to)) ?? [];
  if (status === undefined) throw new Unreadable('what the target answers is not HTTP/1');
  return { status: Number(status), isHttp11: minor !== '0', lines: headersIn(text, rest) };
}

/** Tells from the first bytes of a message whether it may become one: what is none must not be held back. */
export interface Beginning {
  /** Whether what came so far, up to its first line feed, may be the first line. */
  mayBe(text: string, isWhole: boolean): boolean;
}

/** A request begins with a method, one blank and a target. */
export const requestBeginning: Beginning = {
  mayBe: (text, isWhole) => (isWhole ? requestLine.test(text) : /^[!#$%&'*+.^_`|~0-9A-Za-z-]{0,64}( |$)/.test(text)),
};

/** An answer begins with the version of HTTP. */
export const responseBeginning: Beginning = {
  mayBe: (text, isWhole) => (isWhole ? statusLine.test(text) : 'HTTP/1.'.startsWith(text.slice(0, 7))),
};
