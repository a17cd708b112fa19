import { gzipSync } from 'node:zlib';
import { isObject } from '../../contracts/json.ts';
import { onText, onWire } from '../decorators/wire.ts';
import type { Dialect } from './dialect.ts';

/** Other ways to write the same JSON (RFC 8259) and the same headers (RFC 9110). */

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

/** Numbers as some serialisers write them: a fraction or an exponent that changes nothing. */
const numberText = (value: number): string => {
  if (!Number.isInteger(value)) return JSON.stringify(value).replace('e', 'E');
  const text = JSON.stringify(value);
  if (text.includes('e')) return text;
  return value !== 0 && value % 100 === 0 ? `${text.slice(0, -2)}e2` : `${text}.0`;
};

const withOtherNumbers = (value: unknown): string => {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(withOtherNumbers).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${withOtherNumbers(member)}`)
    .join(',')}}`;
};

/** Every UTF-16 unit beyond ASCII as an escape, so that signs beyond U+FFFF are a pair of them; slashes too. */
const escaped = (text: string): string =>
  text
    .replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');

const otherNames = (rename: (name: string) => string) =>
  onWire(outgoing => ({
    ...outgoing,
    headers: Object.fromEntries(Object.entries(outgoing.headers).map(([name, value]) => [rename(name), value])),
  }));

const moreHeaders = (headers: Readonly<Record<string, string>>) =>
  onWire(outgoing => ({ ...outgoing, headers: { ...outgoing.headers, ...headers } }));

// biome-ignore format: a table
export const writingDialects: readonly Dialect[] = [
  { id: 'json-pretty',     section: '1', title: 'indents its JSON and ends it with a new line',               decorator: onText(text => `\n${JSON.stringify(JSON.parse(text), null, 2)}\n`) },
  { id: 'json-escaped',    section: '1', title: 'escapes all that is not ASCII, and slashes',                 decorator: onText(escaped) },
  { id: 'json-numbers',    section: '1', title: 'writes whole numbers as `1.0` and `1e2`',                    decorator: onText(text => withOtherNumbers(JSON.parse(text))) },
  { id: 'json-reversed',   section: '1', title: 'writes the members of objects in the opposite order',        decorator: onText(text => JSON.stringify(reversed(JSON.parse(text)))) },
  { id: 'json-suffix',     section: '1', title: 'answers `Application/Vnd.Console+JSON;Charset="UTF-8"`',     decorator: onText(text => text, { headers: { 'Content-Type': 'Application/Vnd.Console+JSON;Charset="UTF-8"' } }) },
  { id: 'header-case',     section: '1', title: 'writes the names of headers in capitals',                    decorator: otherNames(name => name.toUpperCase()) },
  { id: 'header-more',     section: '1', title: 'sends cookies, caching and tracing headers, and an odd date', decorator: moreHeaders({ 'Set-Cookie': 'session=1; HttpOnly', 'Cache-Control': 'no-store', ETag: '"1"', 'X-Request-Id': 'ü', Date: 'Sunday, 06-Nov-94 08:49:37 GMT', Vary: '*' }) },
  { id: 'body-gzip',       section: '1', title: 'compresses every answer, asked for or not',                  decorator: onText(text => gzipSync(text), { headers: { 'Content-Encoding': 'gzip' } }) },
];
