import { contentCodings, unpack } from '../../client/body.ts';
import { listIn, type ObservedBody, type ObservedHeaders } from '../exchange/exchange.ts';

/** Bounds on the body bytes kept for judging. */
export interface BodyBounds {
  /** For one body, both on the wire and unpacked. */
  readonly each: number;
  /** For all bodies under way together. */
  readonly together: number;
}

const bodyBounds: BodyBounds = { each: 4 * 1024 * 1024, together: 64 * 1024 * 1024 };

/** Undoes the content codings of a body, the last one first (RFC 9110 section 8.4). */
function decoded(wire: Buffer, headers: ObservedHeaders, limit: number): ObservedBody {
  const broken: ObservedBody = { bytes: wire, length: wire.length, isCut: true };
  // A transfer coding other than chunked has not been undone, so the bytes are not the content.
  if (listIn(headers, 'transfer-encoding').some(coding => coding !== 'chunked')) return broken;
  const codings = listIn(headers, 'content-encoding').filter(coding => coding !== 'identity');
  // Bound the codings: each one multiplies the size that a few bytes can unpack to.
  if (codings.length > 2 || codings.some(coding => !contentCodings.includes(coding))) return broken;
  try {
    const bytes = codings.reduceRight((left, coding) => unpack(left, coding, limit), wire);
    return { bytes, length: bytes.length, isCut: false };
  } catch {
    return broken;
  }
}

/** The storage shared by all bodies under way. */
export type BodyRoom = ReturnType<typeof createBodyRoom>;

/** The first bytes of one body, and its full length. */
export type BodyStore = ReturnType<BodyRoom['store']>;

/** Creates storage for bodies. Bytes that do not fit are only counted, and their body counts as cut. */
export function createBodyRoom({ each, together }: BodyBounds = bodyBounds) {
  let used = 0;
  return {
    /** Returns the number of bytes kept now. */
    used: () => used,
    /** Creates the store of one body. */
    store() {
      let parts: Buffer[] = [];
      let kept = 0;
      let length = 0;
      let isCut = false;
      return {
        /** Adds bytes. Returns false if the body is cut. */
        add(part: Buffer): boolean {
          length += part.length;
          const room = Math.max(0, Math.min(each - kept, together - used, part.length));
          if (room < part.length) isCut = true;
          if (room > 0) parts.push(part.subarray(0, room));
          kept += room;
          used += room;
          return !isCut;
        },
        /** Marks the body as incomplete. */
        cut(): void {
          isCut = true;
        },
        /** Returns the body with its codings undone, or null if there was none; frees its storage. */
        take(headers: ObservedHeaders): ObservedBody | null {
          const wire = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
          parts = [];
          used -= kept;
          kept = 0;
          if (length === 0 && !isCut) return null;
          return isCut ? { bytes: wire, length, isCut } : decoded(wire, headers, each);
        },
      };
    },
  };
}
