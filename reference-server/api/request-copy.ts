import { IncomingMessage } from 'node:http';

/** The same request with another body, which is there as a whole. */
export const withBody = (request: IncomingMessage, bytes: Buffer): IncomingMessage => {
  const { 'transfer-encoding': _, ...headers } = request.headers;
  const copy = new IncomingMessage(request.socket);
  const { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  Object.assign(copy, { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  copy.headers = { ...headers, 'content-length': String(bytes.length) };
  copy.complete = true;
  copy.push(bytes);
  copy.push(null);
  return copy;
};

/** Of larger bodies no more is kept than shows that they are too large, in bytes. */
const most = 1024 * 1024 + 1;

/** The body of a request, and the request with it still to be read. */
export const readAhead = async (
  request: IncomingMessage,
): Promise<{ readonly bytes: Buffer; readonly again: IncomingMessage }> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (size < most) chunks.push(chunk);
      size += chunk.length;
    }
  } catch {
    // The client went away: what has come is all there is.
  }
  const bytes = Buffer.concat(chunks).subarray(0, most);
  // What was sent of the length of the body is for others to judge.
  return { bytes, again: Object.assign(withBody(request, bytes), { headers: request.headers }) };
};
