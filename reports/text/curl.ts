import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import { isUnshowable } from './safe-text.ts';
import { hiddenHeaderWord, isRedacted, printf, shellWord } from './shell.ts';

/** Headers that curl sets itself, or that belong to the connection and not to the case. With `chunked` it sends in pieces. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'user-agent', 'accept-encoding', 'traceparent']);

/**
 * Returns a command for a POSIX shell that sends the request of an exchange again, from its evidence. The API key is
 * read from `$SERVICE_API_KEY`, an added header from a variable with its name. If the evidence does not hold the whole body, a comment line before the command says
 * so.
 */
export function curlLine(exchange: Exchange): string {
  const { method, url, headers, body } = exchange.request;
  const words = ['curl', '-sS', '-i', '--path-as-is', ...(/[[\]{}]/.test(url) ? ['--globoff'] : [])];
  words.push(...(method === 'HEAD' ? ['--head'] : ['-X', shellWord(method)]));
  for (const { name, value } of headers)
    if (!ownHeaders.has(name.toLowerCase()))
      // `Name;` makes curl send an empty header; `Name:` would leave it out.
      words.push(
        '-H',
        hiddenHeaderWord(name, value) ?? shellWord(value.trim() === '' ? `${name};` : `${name}: ${value}`),
      );
  // By default curl would send the content type of a form.
  if (body && !headers.some(({ name }) => name.toLowerCase() === 'content-type')) words.push('-H', 'Content-Type:');
  const { before, argument, pipe } = bodyWords(body);
  return `${before}${pipe}${[...words, ...argument, shellWord(url)].join(' ')}`;
}

function bodyWords(body: BodyEvidence | undefined): { before: string; argument: string[]; pipe: string } {
  if (!body) return { before: '', argument: [], pipe: '' };
  if (body.truncated)
    return {
      before: `# The body sent had ${body.bytes} bytes, of which the report keeps the beginning: put it in body.json, or use the replay command.\n`,
      argument: ['--data-binary', '@body.json'],
      pipe: '',
    };
  const exact = isRedacted(body.text) || Buffer.byteLength(body.text) === body.bytes;
  const before = exact
    ? ''
    : `# The body sent had ${body.bytes} bytes that are not all valid UTF-8: only the replay command sends them exactly.\n`;
  // An argument cannot hold NUL, and a command substitution would lose line ends: such bodies come through a pipe.
  return isUnshowable(body.text)
    ? { before, argument: ['--data-binary', '@-'], pipe: `${printf(body.text)} | ` }
    : { before, argument: ['--data-raw', shellWord(body.text)], pipe: '' };
}
