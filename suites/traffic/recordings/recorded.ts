import { unpack } from '../../client/body.ts';
import type { ObservedBody, ObservedExchange, ObservedRequest, Unknown } from '../exchange/exchange.ts';
import { someText } from '../exchange/values.ts';

const words = 'redacted|filtered|omitted|removed|masked|hidden|elided|stripped|scrubbed|sanitized|censored';

/** Placeholders that tools, this one included, write for withheld values: `[REDACTED]`, `<omitted>`, `***`, `xxxxx`. */
const keptBack = new RegExp(`^redacted$|^[[<({*_«-]+\\s*(${words})\\s*[\\])}>*_»-]+$|^[*•█]{3,}$|^x{5,}$`, 'i');

/** Endings that tools write after a truncated text: `…`, `... (truncated)`, `[+312 bytes]`. */
const cutOff =
  /(…|\.{3}|[[(<])\s*(truncated|trimmed|cut( off)?|snip(ped)?|omitted|\+?\d+ (more )?(bytes?|chars?|characters?)[^"{}]{0,20})\s*[\])>]?\s*$|(…|\.{3})\s*$/i;

/** True if a text is a placeholder for a withheld value. */
const isKeptBack = (text: string): boolean => text.length <= 40 && keptBack.test(text.trim());

/** True if a text begins as JSON and ends with a truncation mark. */
const isCutOff = (text: string): boolean => /^\s*[{[]/.test(text) && cutOff.test(text.slice(-120));

/** Maximum number of body values searched for placeholders. */
const mostLooked = 20_000;

/** An exchange of a recording, before its server is known. */
export interface RecordedExchange extends Omit<ObservedRequest, 'target'> {
  /** The origin: `tests.har entry 17`. */
  readonly source: string;
  readonly url: string;
  readonly response: ObservedExchange['response'];
  /** When it began, in milliseconds since 1970; undefined if the recording does not say. */
  readonly startedAtMs: number | undefined;
  readonly durationMs: number;
  /** Why it never reached a server, such as a cached answer. */
  readonly aside?: string;
  /** True if the recorder marks each key that it takes out, as this tool does: a request without one had none. */
  readonly marksKeys?: true;
}

/** A recording that cannot be read. The message names the file and the problem in one line. */
export class BrokenRecording extends Error {
  override readonly name = 'BrokenRecording';
}

/** Maximum size of an unpacked body, in bytes. */
const mostUnpacked = 33_554_432;

/** Undoes a content coding that some recorders leave on. */
function unpacked(bytes: Buffer, coding: string): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isBrotli = /\bbr\b/.test(coding) && !/^[\s]*[{[]/.test(bytes.subarray(0, 20).toString('latin1'));
  try {
    return unpack(bytes, isGzip ? 'gzip' : isBrotli ? 'br' : undefined, mostUnpacked);
  } catch {
    // The bytes have no such coding.
    return bytes;
  }
}

/** Returns the value of a JSON text, or whether the text ends too early. */
function parsed(bytes: Buffer): { readonly value: unknown } | { readonly endsEarly: boolean } {
  try {
    return { value: JSON.parse(bytes.toString()) as unknown };
  } catch (error) {
    return { endsEarly: /^Unexpected end|^Unterminated/.test((error as Error).message) };
  }
}

/**
 * Returns a body from text or Base64; 'not recorded' if any part of it is withheld. If it is no JSON, it counts as cut
 * when the recording states a greater length or marks it as truncated. It also counts as cut if its coding is unknown,
 * or if it ends too early and no length is stated.
 *
 * @param size the recorded length in bytes; negative if unknown
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
