import { gzipSync } from 'node:zlib';
import { isObject } from '../../contracts/json.ts';
import { onText, onWire, rebuilt } from '../decorators/index.ts';
import { all, type DialectTable } from './dialect.ts';

/** Other ways to write the same JSON (RFC 8259) and the same headers (RFC 9110). */

const reversed = (value: unknown): unknown =>
  rebuilt(value, part => (isObject(part) ? Object.fromEntries(Object.entries(part).reverse()) : part));

/** Writes numbers like some serialisers: with a fraction or an exponent that changes nothing. */
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

/** Escapes every UTF-16 unit beyond ASCII, so that characters beyond U+FFFF become pairs; and slashes. */
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
export const writingDialects: DialectTable = [
  ['json-pretty',   '1', all, 'indents its JSON and ends it with a new line',                onText(text => `\n${JSON.stringify(JSON.parse(text), null, 2)}\n`)],
  ['json-escaped',  '1', all, 'escapes all that is not ASCII, and slashes',                  onText(escaped)],
  ['json-numbers',  '1', all, 'writes whole numbers as `1.0` and `1e2`',                     onText(text => withOtherNumbers(JSON.parse(text)))],
  ['json-reversed', '1', all, 'writes the members of objects in the opposite order',         onText(text => JSON.stringify(reversed(JSON.parse(text))))],
  ['json-suffix',   '1', all, 'answers `Application/Vnd.Console+JSON;Charset="UTF-8"`',      onText(text => text, { headers: { 'Content-Type': 'Application/Vnd.Console+JSON;Charset="UTF-8"' } })],
  ['header-case',   '1', all, 'writes the names of headers in capitals',                     otherNames(name => name.toUpperCase())],
  ['header-more',   '1', all, 'sends cookies, caching and tracing headers, and an odd date', moreHeaders({ 'Set-Cookie': 'session=1; HttpOnly', 'Cache-Control': 'no-store', ETag: '"1"', 'X-Request-Id': 'ü', Date: 'Sunday, 06-Nov-94 08:49:37 GMT', Vary: '*' })],
  ['body-gzip',     '1', all, 'compresses every answer, asked for or not',                   onText(text => gzipSync(text), { headers: { 'Content-Encoding': 'gzip' } })],
];
