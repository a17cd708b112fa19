import { unpack } from '../../client/body.ts';
import type { ObservedBody, ObservedExchange, ObservedRequest, Unknown } from '../exchange/exchange.ts';
import { someText } from '../exchange/values.ts';

const words = 'redacted|filtered|omitted|removed|masked|hidden|elided|stripped|scrubbed|sanitized|censored';

/** What tools, this one among them, write in the place of what they keep back: `[REDACTED]`, `<omitted>`, `***`, `xxxxx`. */
const keptBack = new RegExp(`^redacted$|^[[<({*_«-]+\\s*(${words})\\s*[\\])}>*_»-]+$|^[*•█]{3,}$|^x{5,}$`, 'i');

/** What tools write behind what they cut: `…`, `... (truncated)`, `[+312 bytes]`. */
const cutOff =
  /(…|\.{3}|[[(<])\s*(truncated|trimmed|cut( off)?|snip(ped)?|omitted|\+?\d+ (more )?(bytes?|chars?|characters?)[^"{}]{0,20})\s*[\])>]?\s*$|(…|\.{3})\s*$/i;

/** True of a text that stands for another one, which the recording keeps back. */
const isKeptBack = (text: string): boolean => text.length <= 40 && keptBack.test(text.trim());

/** True of the beginning of a JSON text that says of itself that it was cut. */
const isCutOff = (text: string): boolean => /^\s*[{[]/.test(text) && cutOff.test(text.slice(-120));

/** So many values of a body are looked at. */
const mostLooked = 20_000;

/** An exchange as a recording holds it, before it is known which server it was meant for. */
export interface RecordedExchange extends Omit<ObservedRequest, 'target'> {
  /** Where it stands: `tests.har entry 17`. */
  readonly source: string;
  readonly url: string;
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
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isBrotli = /\bbr\b/.test(coding) && !/^[\s]*[{[]/.test(bytes.subarray(0, 20).toString('latin1'));
  try {
    return unpack(bytes, isGzip ? 'gzip' : isBrotli ? 'br' : undefined, mostUnpacked);
  } catch {
    // It was no such coding.
    return bytes;
  }
}

/** The value of a JSON text, or why it is none. */
function parsed(bytes: Buffer): { readonly value: unknown } | { readonly endsEarly: boolean } {
  try {
    return { value: JSON.parse(bytes.toString()) as unknown };
  } catch (error) {
    return { endsEarly: /^Unexpected end|^Unterminated/.test((error as Error).message) };
  }
}

/**
 * A body of a text, or of Base64. What is kept back, in whole or in part, is not known. A recording that says that there
 * was more than it holds, of what is then no JSON, is cut; so is a JSON text that ends too early where no length says
 * that it is whole, and what is packed in a way that is not known.
 *
 * @param size what the recording says of its length, in bytes; negative where it does not know
 */
export function recordedBody(
  text: string,
  given: { encoding?: unknown; coding?: string; size: number; isCut: boolean },
): ObservedBody | Unknown {
  const { encoding, coding = '', size, isCut } = given;
  const isBase64 = encoding === 'base64';
  const bytes = isBase64 ? unpacked(Buffer.from(text, 'base64'), coding) : Buffer.from(text);
  if (!isBase64 && isKeptBack(text)) return 'not recorded';
  const read = parsed(bytes);
  if ('value' in read) {
    if (someText(read.value, mostLooked, isKeptBack)) return 'not recorded';
    return { bytes, length: Math.max(bytes.length, size), isCut };
  }
  const isPacked = isBase64 && !['', 'identity'].includes(coding.trim().toLowerCase());
  const isShort = size > bytes.length || (size < 0 && read.endsEarly) || isCutOff(text);
  return { bytes, length: Math.max(bytes.length, size), isCut: isCut || isShort || isPacked };
}
