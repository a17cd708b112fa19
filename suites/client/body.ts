import { isAscii } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { parserMessage } from '../../contracts/json.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { Failure, ParsedBody, Reply, WireRequest } from '../protocol/reply.ts';
import { passedBound } from '../protocol/text-bounds.ts';
import type { Exchanged } from './exchange.ts';
import { tooLarge } from './failure.ts';

/** Maximum nesting of an answer that is parsed, far beyond any field of the specification. */
export const deepestAnswer = 1_500;

/**
 * Maximum number of values in an answer that is parsed: each takes some hundred bytes of memory, however short its
 * text.
 */
export const mostValues = 100_000;

/** Maximum size of an answer by default. Four megabytes are hundreds of pages of the default size. */
export const defaultMaxBodyBytes = 4 * 1024 * 1024;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const unpackers = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** The content codings that `unpack` supports, by their HTTP names. */
export const contentCodings = Object.keys(unpackers);

/** Maximum number of content codings of one answer that are undone, each bounded by the same size. */
const mostCodings = 2;

/** Returns the codings that a `Content-Encoding` names, in the order in which they were applied. */
const codingsIn = (coding = ''): readonly string[] =>
  coding
    .split(',')
    .map(one => one.trim().toLowerCase())
    .filter(one => one !== '' && one !== 'identity');

/** True if all codings of an answer can be undone. */
const areRead = (codings: readonly string[]): boolean =>
  codings.length <= mostCodings && codings.every(one => contentCodings.includes(one));

/**
 * Decodes a content coding (RFC 9110 section 8.4.1). Throws beyond `limit` bytes, for broken bytes, and for trailing
 * bytes other than zeros (padding).
 */
export function unpack(bytes: Buffer, coding: string | undefined, limit: number): Buffer {
  const unpacker = Object.entries(unpackers).find(([name]) => name === coding)?.[1];
  if (!unpacker) return bytes;
  // With `info` zlib returns both (see Node's documentation), but its types declare only the buffer.
  const { buffer, engine } = unpacker(bytes, { maxOutputLength: limit, info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  if (bytes.subarray(engine.bytesWritten).some(byte => byte !== 0)) throw new Error('more bytes follow its end');
  return buffer;
}

/** Parses bytes as strict UTF-8 and JSON (RFC 8259), bounded in unpacked size, nesting and values. Never throws. */
export function parseBody(raw: Buffer, coding: string | undefined, limit: number): ParsedBody {
  if (raw.length === 0) return { kind: 'empty' };
  let bytes: Buffer;
  try {
    bytes = codingsIn(coding).reduceRight((packed, one) => unpack(packed, one, limit), raw);
  } catch (error) {
    const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    return {
      kind: 'broken',
      ...(tooLarge ? { tooLarge } : {}),
      why: tooLarge
        ? `is longer than ${limit} bytes unpacked`
        : `cannot be unpacked (content-encoding ${clip(coding ?? '', 40)}): ${(error as Error).message}`,
      text: '',
    };
  }
  let text: string;
  try {
    // Most answers are ASCII, and a copy of bytes takes half of the time.
    text = isAscii(bytes) ? bytes.toString('latin1') : strictUtf8.decode(bytes);
  } catch {
    return { kind: 'broken', why: 'is not valid UTF-8', text: bytes.toString('utf8') };
  }
  // Each level takes two characters: an opening and a closing bracket.
  if (text.length > 2 * deepestAnswer) {
    const passed = passedBound(text, { depth: deepestAnswer, values: mostValues });
    if (passed === 'depth')
      return { kind: 'broken', why: `is nested more than ${deepestAnswer} levels deep`, text, tooDeep: true };
    if (passed === 'values')
      return { kind: 'broken', why: `holds more than ${mostValues} values`, text: '', tooLarge: true };
  }
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch (error) {
    return { kind: 'broken', why: `is not valid JSON: ${parserMessage(error)}`, text };
  }
}

/**
 * Returns the reply of a whole answer to a request that was sent at `start`. Throws if its body is too large, or has a
 * coding that is not read. Such a coding is legal, because no request limits what is acceptable (RFC 9110 section
 * 12.5.3).
 */
export function replyOf(
  request: WireRequest,
  { status, headers, bytes }: Exchanged,
  maxBytes: number,
  start: number,
): Reply {
  const named = headers['content-encoding']?.toString();
  // Some servers name a coding that they do not use.
  const coding = areRead(codingsIn(named)) ? named : undefined;
  const body = parseBody(bytes, coding, maxBytes);
  if (body.kind === 'broken' && coding !== named && status >= 200 && status < 300)
    throw tooLarge(`has the content coding ${clip(named ?? '', 40)}, which is not read`);
  if (body.kind === 'broken' && body.tooLarge) throw tooLarge(body.why);
  const durationMs = performance.now() - start;
  return { request, status, headers, body, bytes: bytes.length, failure: null, durationMs };
}

/** Returns the reply of a request that was sent at `start` and got no answer. */
export function failedReply(request: WireRequest, failure: Failure, start: number): Reply {
  const durationMs = performance.now() - start;
  return { request, status: 0, headers: {}, body: { kind: 'empty' }, bytes: 0, failure, durationMs };
}

/**
 * Returns the reply of a request that an interruption kept from being sent, or from being sent again. `last` is what
 * came last, if anything did; its body is left out.
 */
export function unsentReply(request: WireRequest, last: Exchanged | undefined): Reply {
  const failure = last ? null : ({ kind: 'refused', message: 'it was not sent: the run was interrupted' } as const);
  const { status = 0, headers = {} } = last ?? {};
  return { request, status, headers, body: { kind: 'empty' }, bytes: 0, failure, durationMs: 0 };
}
