/** The head of a request that keeps RFC 9112; what breaks it is written out where it is sent. */
export interface Head {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The key; null for none. */
  readonly key?: string | null;
}

/** The text of a head, with the length of the body that follows unless it goes in chunks. */
export const requestText = ({ method, target, headers = {}, key = 'reference-key' }: Head, length = 0): string => {
  const framed = length === 0 || headers['Transfer-Encoding'] !== undefined;
  const lines = Object.entries({
    Host: '127.0.0.1',
    ...(key !== null && { 'SERVICE-API-KEY': key }),
    ...(!framed && { 'Content-Length': String(length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
};
