import { type Exchange, redactions } from '../../contracts/report/evidence.ts';
import { hiddenHeaderWord } from '../text/shell.ts';
import type { ShellParts } from './shell-parts.ts';

/** Headers that curl sets itself, or that belong to the connection. */
const ownHeaders = /^(host|content-length|connection|user-agent|accept-encoding)$/i;

/** The key as a part of an address (RFC 3986 section 2.1): a variable of the script, set once. */
const encodedKey = '"$encoded_key"';

/** Returns the lines that set what these lines ask for. */
export const keyLines = (lines: readonly string[]): readonly string[] =>
  lines.some(line => line.includes(encodedKey)) ? [`encoded_key=$(printf %s "$SERVICE_API_KEY" | jq -sRr @uri)`] : [];

const pathWord = (path: string, parts: ShellParts): string =>
  path
    .split(redactions.key)
    .map(part => (part === '' ? '' : parts.word(part)))
    .join(encodedKey);

/** Returns the base URL, without a slash at its end, below which an address is; undefined if it is below none. */
export const baseOf = (url: string, baseUrls: readonly string[]): string | undefined =>
  baseUrls.map(one => one.replace(/\/+$/, '')).find(base => url === base || url.startsWith(`${base}/`));

/**
 * Returns the lines that send one request; its status is in `$status` then, and its body in `$work/answer`. `query` is
 * a variable of the script that stands in for the query of the address.
 */
export function sendLines(
  { method, url, headers, body }: Exchange['request'],
  parts: ShellParts,
  baseUrls: readonly string[],
  query?: string,
): string[] {
  const path = url.slice(baseOf(url, baseUrls)?.length ?? 0);
  const words = headers
    .filter(({ name }) => !ownHeaders.test(name))
    .flatMap(({ name, value }) => [
      '-H',
      hiddenHeaderWord(name, value) ?? parts.word(value.trim() === '' ? `${name};` : `${name}: ${value}`),
    ]);
  if (body !== undefined && !headers.some(({ name }) => name.toLowerCase() === 'content-type'))
    words.push('-H', "'Content-Type:'");
  return [
    ...(body === undefined ? [] : [`{ ${parts.written(body.text)}; } >"$work/body"`]),
    [
      'send',
      parts.word(method),
      query === undefined ? pathWord(path, parts) : `${pathWord(path.split('?')[0] ?? '', parts)}"$${query}"`,
      ...words,
      ...(body === undefined ? [] : ['--data-binary', '@"$work/body"']),
    ].join(' '),
  ];
}
