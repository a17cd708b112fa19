import { contentCodings, unpack } from '../../client/body.ts';
import type { ObservedBody, ObservedHeaders } from '../exchange/exchange.ts';
import { listIn } from '../exchange/headers.ts';

/** How much of bodies is kept for judging, in bytes. */
export interface BodyBounds {
  /** Of one body, as it is on the wire and unpacked. */
  readonly each: number;
  /** Of all that are under way together. */
  readonly together: number;
}

const bodyBounds: BodyBounds = { each: 4 * 1024 * 1024, together: 64 * 1024 * 1024 };

/** Undoes the content codings of a body, the last one first (RFC 9110 section 8.4). */
function decoded(wire: Buffer, headers: ObservedHeaders, limit: number): ObservedBody {
  const broken: ObservedBody = { bytes: wire, length: wire.length, isCut: true };
  // Coded in another way than in chunks, its bytes are not what was meant.
  if (listIn(headers, 'transfer-encoding').some(coding => coding !== 'chunked')) return broken;
  const codings = listIn(headers, 'content-encoding').filter(coding => coding !== 'identity');
  // Each coding multiplies what a few bytes can become.
  if (codings.length > 2 || codings.some(coding => !contentCodings.includes(coding))) return broken;
  try {
    const bytes = codings.reduceRight((left, coding) => unpack(left, coding, limit), wire);
    return { bytes, length: bytes.length, isCut: false };
  } catch {
    return broken;
  }
}

/** The room for all bodies that are under way. */
export type BodyRoom = ReturnType<typeof createBodyRoom>;

/** The first bytes of one body, and how many there were. */
export type BodyStore = ReturnType<BodyRoom['store']>;

/** Room for bodies. What does not fit is counted, and its body is cut. */
export function createBodyRoom({ each, together }: BodyBounds = bodyBounds) {
  let used = 0;
  return {
    /** Bytes that are kept now. */
    used: () => used,
    /** Makes the store of one body. */
    store() {
      let parts: Buffer[] = [];
      let kept = 0;
      let length = 0;
      let isCut = false;
      return {
        /** Adds what came. Returns whether all of it was kept. */
        add(part: Buffer): boolean {
          length += part.length;
          const room = Math.max(0, Math.min(each - kept, together - used, part.length));
          if (room < part.length) isCut = true;
          if (room > 0) parts.push(part.subarray(0, room));
          kept += room;
          used += room;
          return !isCut;
        },
        /** The body was not complete, so that what is kept is not all of it. */
        cut(): void {
          isCut = true;
        },
        /** The body with its codings undone, or null where there was none; gives its room back. */
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
