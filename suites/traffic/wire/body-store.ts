import { contentCodings, unpack } from '../../client/body.ts';
import type { ObservedBody } from '../exchange/exchange.ts';
import { isCodedOnTheWay } from './framing.ts';
import { type Field, membersOf } from './head.ts';

/** How much of bodies is kept for judging, in bytes. */
export interface BodyBounds {
  /** Of one body, as it is on the wire and unpacked. */
  readonly each: number;
  /** Of all that are under way together. */
  readonly together: number;
}

export const bodyBounds: BodyBounds = { each: 4 * 1024 * 1024, together: 64 * 1024 * 1024 };

/** The room for all bodies that are under way. */
export interface BodyRoom {
  /** Makes the store of one body. */
  store(): BodyStore;
  /** Bytes that are kept now. */
  used(): number;
}

/** The first bytes of one body, and how many there were. */
export interface BodyStore {
  /** Adds what came. Returns whether all of it was kept. */
  add(part: Buffer): boolean;
  /** The body was not complete, so that what is kept is not all of it. */
  cut(): void;
  /** The body with its codings undone, or null where there was none; gives its room back. */
  take(lines: readonly Field[]): ObservedBody | null;
}

/** Undoes the content codings of a body, the last one first (RFC 9110 section 8.4). */
function decoded(wire: Buffer, lines: readonly Field[], limit: number): ObservedBody {
  const whole = (bytes: Buffer): ObservedBody => ({ bytes, length: bytes.length, isCut: false });
  const broken: ObservedBody = { bytes: wire, length: wire.length, isCut: true };
  if (isCodedOnTheWay(lines)) return broken;
  const codings = membersOf(lines, 'content-encoding').filter(coding => coding !== 'identity');
  // Each coding multiplies what a few bytes can become.
  if (codings.length > 2 || codings.some(coding => !contentCodings.includes(coding))) return broken;
  try {
    return whole(codings.reduceRight((bytes, coding) => unpack(bytes, coding, limit), wire));
  } catch {
    return broken;
  }
}

/** Room for bodies. What does not fit is counted, and its body is cut. */
export function createBodyRoom({ each, together }: BodyBounds = bodyBounds): BodyRoom {
  let used = 0;
  return {
    used: () => used,
    store() {
      let parts: Buffer[] = [];
      let kept = 0;
      let length = 0;
      let isCut = false;
      return {
        add(part) {
          length += part.length;
          const room = Math.max(0, Math.min(each - kept, together - used, part.length));
          if (room < part.length) isCut = true;
          if (room > 0) parts.push(part.subarray(0, room));
          kept += room;
          used += room;
          return !isCut;
        },
        cut() {
          isCut = true;
        },
        take(lines) {
          const wire = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
          parts = [];
          used -= kept;
          kept = 0;
          if (length === 0 && !isCut) return null;
          return isCut ? { bytes: wire, length, isCut } : decoded(wire, lines, each);
        },
      };
    },
  };
}
