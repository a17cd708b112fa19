import type { IncomingMessage } from 'node:http';

/** A request body as it was read, or the status and reason to refuse it with. */
export type Incoming = { value: unknown } | { status: number; reason: string };

const largestBody = 1 << 20;
const largestDrain = 1 << 25;
const deepest = 64;

/**
 * The JSON body of a request. Size and nesting are bounded before anything is parsed, so that no body can exhaust the
 * stack or the memory; what is too large is still read to its end (up to a point), so that the sender gets to see the
 * answer. An empty body is `undefined`.
 */
export async function readBody(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
    if (size > largestDrain) break;
  }
  if (size > largestBody) return { status: 413, reason: 'the body is too large' };
  if (size === 0) return { value: undefined };
  const kind = (request.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
  if (!/^application\/json(;charset="?utf-8"?)?$/.test(kind) || request.headers['content-encoding'] !== undefined)
    return { status: 415, reason: 'send plain application/json' };
  return parse(Buffer.concat(chunks));
}

function parse(bytes: Buffer): Incoming {
  try {
    const source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (nesting(source) > deepest) return { status: 422, reason: 'the body is nested too deeply' };
    const value: unknown = JSON.parse(source);
    return finite(value) ? { value } : { status: 422, reason: 'a number is too large to keep' };
  } catch {
    return { status: 400, reason: 'the body is not JSON' };
  }
}

/** How deep the brackets of a JSON text nest, without parsing it: brackets inside strings do not count. */
function nesting(source: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (quoted && sign === '\\') at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === '{' || sign === '[')) depth += 1;
    else if (!quoted && (sign === '}' || sign === ']')) depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

/** False when a number overflowed (1e999): it could not be given back as it was sent. */
function finite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(finite);
}
