/** An answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const blank = Buffer.from('\r\n\r\n');

const headOf = (text: string): Pick<RawAnswer, 'status' | 'headers'> => {
  const [line = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(line)?.[1];
  if (status === undefined) throw new Error(`this is no status line: ${JSON.stringify(line.slice(0, 200))}`);
  const headers = new Map<string, string>();
  for (const each of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+): ?(.*)$/.exec(each) ?? [];
    if (name === '') throw new Error(`this is no header: ${JSON.stringify(each.slice(0, 200))}`);
    if (headers.has(name.toLowerCase())) throw new Error(`the header ${name} stands twice`);
    headers.set(name.toLowerCase(), value);
  }
  return { status: Number(status), headers };
};

const hasNoBody = (status: number, method: string): boolean => method === 'HEAD' || status === 204 || status === 304;

/**
 * The first answer of what a connection carried, and how many bytes it and the interim answers before it took;
 * undefined while it is not whole. Strict: what is no HTTP/1.1 answer with a length throws. `method` is that of the
 * request.
 */
export const parsedAnswer = (
  bytes: Buffer,
  method: string,
): { readonly answer: RawAnswer; readonly length: number } | undefined => {
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(blank, at);
    if (end === -1) return undefined;
    const head = headOf(bytes.toString('latin1', at, end));
    at = end + blank.length;
    if (head.status < 200) continue;
    const bodyless = hasNoBody(head.status, method);
    const stated = head.headers.get('content-length');
    if (!bodyless && !/^\d+$/.test(stated ?? '')) throw new Error(`an answer ${head.status} without a length`);
    const length = at + (bodyless ? 0 : Number(stated));
    if (length > bytes.length) return undefined;
    return { answer: { ...head, body: bytes.toString('utf8', at, length) }, length };
  }
};
