import type { Entry } from './request-list.ts';

/** The log's replacement for a key. */
export const redacted = '[redacted]';

/** Headers that every HTTP client sets by itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'user-agent',
  'accept-encoding',
  'keep-alive',
  'origin',
  'referer',
  'expect',
  'upgrade',
]);

/** True if a header belongs to the request, not to its transport or to the browser that sent it. */
export const isSentHeader = (name: string): boolean => !ownHeaders.has(name.toLowerCase()) && !/^sec-/i.test(name);

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal interprets these
const unshowable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const everyUnshowable = new RegExp(unshowable, 'gu');

const bytesOf = (character: string): string =>
  [...new TextEncoder().encode(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** Quotes a text as one shell word; characters that a terminal interprets or hides are escaped. */
export const shellWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!unshowable.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(everyUnshowable, bytesOf);
  return `$'${escaped}'`;
};

/** The parts of a request that a command reproduces. */
export type Sent = Pick<Entry, 'method' | 'url' | 'headers' | 'body'>;

/**
 * Returns a curl command that repeats a request. It reads the key for the header `keyHeader` from `$SERVICE_API_KEY`.
 * Other credentials are omitted, because the log does not keep them.
 */
export const curlCommand = ({ method, url, headers, body }: Sent, origin: string, keyHeader: string): string => {
  const words = ['curl', '-sS', '-i', '--path-as-is', ...(/[[\]{}]/.test(url) ? ['--globoff'] : [])];
  words.push(...(method === 'HEAD' ? ['--head'] : ['-X', shellWord(method)]));
  const names = Object.keys(headers).filter(isSentHeader);
  for (const name of names) {
    const value = headers[name] ?? '';
    if (name.toLowerCase() === keyHeader.toLowerCase())
      words.push('-H', `"${name.replace(/["$`\\]/g, '')}: $SERVICE_API_KEY"`);
    else if (value !== redacted) words.push('-H', shellWord(value.trim() === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body !== '') {
    // Otherwise curl sends the content type of a form.
    if (!names.some(name => name.toLowerCase() === 'content-type')) words.push('-H', 'Content-Type:');
    words.push('--data-raw', shellWord(body));
  }
  return [...words, shellWord(origin + url)].join(' ');
};
