import { type Exchange, redactions } from '../../contracts/report/evidence.ts';
import type { ShellParts } from './shell-parts.ts';

/** Headers that curl sets itself, or that belong to the connection. */
const ownHeaders = /^(host|content-length|connection|transfer-encoding|user-agent|accept-encoding)$/i;

/** The key as a part of an address (RFC 3986 section 2.1). */
const encodedKey = '"$(printf %s "$SERVICE_API_KEY" | jq -sRr @uri)"';

const pathWord = (path: string, parts: ShellParts): string =>
  path
    .split(redactions.key)
    .map(part => (part === '' ? '' : parts.word(part)))
    .join(encodedKey);

/** Returns the lines that send one request; its status is in `$status` then, and its body in `$work/answer`. */
export function sendLines(
  { method, url, headers, body }: Exchange['request'],
  parts: ShellParts,
  baseUrl: string,
): string[] {
  const path = url.slice(baseUrl.replace(/\/+$/, '').length);
  const words = headers
    .filter(({ name }) => !ownHeaders.test(name))
    .flatMap(({ name, value }) => ['-H', parts.word(value.trim() === '' ? `${name};` : `${name}: ${value}`)]);
  if (body !== undefined && !headers.some(({ name }) => name.toLowerCase() === 'content-type'))
    words.push('-H', "'Content-Type:'");
  return [
    ...(body === undefined ? [] : [`{ ${parts.written(body.text)}; } >"$work/body"`]),
    [
      'send',
      parts.word(method),
      pathWord(path, parts),
      ...words,
      ...(body === undefined ? [] : ['--data-binary', '@"$work/body"']),
    ].join(' '),
  ];
}
