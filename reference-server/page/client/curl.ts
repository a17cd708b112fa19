import type { Entry } from './request-list.ts';

/** What the log writes in the place of a key. */
export const redacted = '[redacted]';

/** Headers that whoever sends a request sets by itself. */
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

/** True of a header that belongs to a request and not to the way it came, nor to the browser that sent it. */
export const isSentHeader = (name: string): boolean => !ownHeaders.has(name.toLowerCase()) && !/^sec-/i.test(name);

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what a terminal would obey
const unshowable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const everyUnshowable = new RegExp(unshowable, 'gu');

const bytesOf = (character: string): string =>
  [...new TextEncoder().encode(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** A text as one word of a shell; characters that a terminal obeys or hides are written out. */
export const shellWord = (text: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!unshowable.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(everyUnshowable, bytesOf);
  return `$'${escaped}'`;
};

/** What a command is made of. */
export type Sent = Pick<Entry, 'method' | 'url' | 'headers' | 'body'>;

/**
 * A command that sends a request again. The key is read from `$SERVICE_API_KEY`; `keyHeader` is the header that carries
 * it. Other credentials, which the log does not keep, are left out.
 */
export const curlCommand = ({ method, url, headers, body }: Sent, origin: string, keyHeader: string): string => {
  const target = origin + url;
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
    // By default curl would send the content type of a form.
    if (!names.some(name => name.toLowerCase() === 'content-type')) words.push('-H', 'Content-Type:');
    words.push('--data-raw', shellWord(body));
  }
  return [...words, shellWord(target)].join(' ');
};
