import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ObservedBody, ObservedExchange, ObservedHeaders, Unknown } from '../exchange.ts';

/** An exchange as a recording holds it, before it is known which server it was meant for. */
export interface RecordedExchange {
  /** Where it stands: `tests.har entry 17`. */
  readonly source: string;
  readonly url: string;
  readonly method: string;
  readonly headers: ObservedHeaders | Unknown;
  readonly body: ObservedBody | Unknown | null;
  readonly response: ObservedExchange['response'];
  /** When it began, in milliseconds since 1970; undefined where the recording does not say. */
  readonly startedAtMs: number | undefined;
  readonly durationMs: number;
  /** Why it is no exchange with a server: it came from a cache. */
  readonly aside?: string;
}

/** A recording that cannot be read. The message names the file and what is wrong, in one line. */
export class BrokenRecording extends Error {
  override readonly name = 'BrokenRecording';
}

/** Larger bodies are not unpacked, in bytes. */
const mostUnpacked = 33_554_432;

/** The bytes without the content coding that some recorders leave on. */
function unpacked(bytes: Buffer, coding: string): Buffer {
  const options = { maxOutputLength: mostUnpacked };
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, options);
    if (/\bbr\b/.test(coding) && !/^[\s]*[{[]/.test(bytes.subarray(0, 20).toString('latin1')))
      return brotliDecompressSync(bytes, options);
  } catch {
    // It was no such coding.
  }
  return bytes;
}

const isJson = (bytes: Buffer): boolean => {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
};

/**
 * A body of a text, or of Base64. A recording that says that there was more than it holds, of what is then no JSON, is
 * cut.
 *
 * @param size what the recording says of its length, in bytes; negative where it does not know
 */
export function recordedBody(
  text: string,
  {
    encoding,
    coding = '',
    size = -1,
    isCut = false,
  }: { encoding?: unknown; coding?: string; size?: number; isCut?: boolean },
): ObservedBody {
  const bytes = encoding === 'base64' ? unpacked(Buffer.from(text, 'base64'), coding) : Buffer.from(text);
  const isShort = size > bytes.length && !isJson(bytes);
  return { bytes, length: Math.max(bytes.length, size), isCut: isCut || isShort };
}
