import { isSentHeader, redacted, type Sent } from './curl.ts';

/** Returns the header fields of a request for editing, one per line; the key stays redacted as in the log. */
export const headerLines = ({ headers, body }: Sent, keyHeader: string): string => {
  const kept = Object.entries(headers).filter(
    ([name, value]) => isSentHeader(name) && (value !== redacted || name.toLowerCase() === keyHeader.toLowerCase()),
  );
  const fresh = [[keyHeader, redacted], ...(body === '' ? [] : [['Content-Type', 'application/json']])];
  return (Object.keys(headers).length > 0 ? kept : fresh).map(([name, value]) => `${name}: ${value}`).join('\n');
};

/** Parses edited lines into header fields; the value `[redacted]` becomes the key. Throws an `Error`. */
export const headersOf = (lines: string, apiKey: string): [string, string][] =>
  lines
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const match = /^([^\s:]+)\s*:(.*)$/.exec(line.trim());
      if (match === null) throw new Error(`This is no header field: ${line}`);
      const [, name = '', value = ''] = match;
      return [name, value.trim() === redacted ? apiKey : value.trim()];
    });

/** Returns the target of a request, which must be below the API of this server. Throws an `Error` otherwise. */
export const targetOf = (path: string, origin: string): string => {
  const url = URL.canParse(path, origin) ? new URL(path, origin) : undefined;
  if (url === undefined || !path.startsWith('/') || url.origin !== origin)
    throw new Error('The path begins with a slash and stays at this server.');
  if (!url.pathname.startsWith('/console/')) throw new Error('Requests go to paths below /console/.');
  return url.pathname + url.search;
};
