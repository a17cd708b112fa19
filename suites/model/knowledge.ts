import type { Endpoint, Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import type { Suspicion } from './suspicion.ts';

/** What became of a write, as far as its answer tells. */
export type Outcome = 'pending' | 'accepted' | 'refused' | 'keyless' | 'dry' | 'unknown';

/** A moment: its place among all events, which orders, and its time, by which alone what is behind is told. */
export interface Moment {
  readonly place: number;
  readonly ms: number;
}

/** A write to one entity, from when it began until its answer was there. */
export interface Write {
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  readonly id: string;
  readonly begun: Moment;
  ended: Moment | undefined;
  outcome: Outcome;
  /** The fields that it sends; undefined where its body cannot be read. */
  readonly fields: Readonly<Record<string, Json>> | undefined;
  /** The whole body that carries them keeps its schema. */
  readonly isSound: boolean;
  /** The writes to it, and to others of its family, that were under way at the same time. */
  readonly met: Write[];
}

/** A value that a field may have. */
export interface Claim {
  /**
   * `sent`: as a request carried it. `shown`: as an answer did. `answered`: as the answer to the write that made it did,
   * and no other has yet. `open`: whatever it may be.
   */
  how: 'sent' | 'shown' | 'answered' | 'open';
  value: unknown;
  /** The write that made it; undefined of what was there before, or came from others. */
  readonly write: Write | undefined;
  readonly begun: number;
  /** Place of the end; infinite while it is under way. */
  ended: number;
  /** Since when another value has certainly replaced it. */
  out: Moment | undefined;
  /** It was seen where nothing explains it: the suspicion that says so. */
  readonly suspect?: Suspicion | undefined;
  /** When the reading began that showed it so. */
  readonly suspectedAt?: number;
  /** The answer to the write that sent it showed it so. */
  isEchoed?: true;
  /** When the last answer came to a write that shows it so, and may have made it so. */
  answeredMs?: number;
  /** When the reading began that first showed what was open; absent of what a request carried. */
  learnedAt?: number;
}

/** What is known of one field of one entity. */
export interface Field {
  readonly tally: Tally;
  /** The values that nothing has certainly replaced, in the order in which they came to be known. */
  readonly claims: Claim[];
  /** Those that another one has replaced, in the order in which that was. */
  readonly past: Claim[];
  /** When the reading began that last showed what was expected, and the operation that did. */
  confirmed: number;
  confirmedBy: EndpointId | undefined;
  /** The number of that exchange. */
  confirmedIn: number | undefined;
  /** How often an operation kept to a value although another had shown that it is not so. */
  readonly kept: Map<EndpointId, number>;
  /** Somebody else has written it: whatever is seen there may be theirs. */
  isForeign: boolean;
}

/** The fields of an entity as an answer showed them. */
export interface Reading {
  readonly begun: Moment;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** An entity: its fields, and what was last tried with it. */
export interface Entity {
  readonly resource: Resource;
  readonly id: string;
  readonly subject: string;
  readonly fields: Map<string, Field>;
  /** The last reading of each operation; of one that writes, apart what it answers when it carries nothing. */
  readonly readings: Map<string, Reading>;
  lastMs: number;
}

/** All that was tried with the entities of a family of kinds. */
export interface Tried {
  /** Writes to each entity that are remembered, in the order in which they began. */
  readonly byEntity: Map<string, Write[]>;
  /** The last writes that were accepted, or may have been, of the two entities that were written to last. */
  readonly last: { readonly id: string; write: Write }[];
  /** When anything was last begun or ended, whatever came of it. */
  quietSince: Moment;
  underWay: number;
  /** Fields that differed between two readings of one operation while nothing was tried. */
  readonly moving: Set<string>;
}

/** How often what could have changed a field did, and did not. */
export interface Tally {
  /** By the cause that was there: times compared, and times that the field was otherwise. */
  readonly causes: Map<string, { times: number; changed: number }>;
  /** All comparisons that found it as it was, and those of them where nothing could have changed it. */
  still: number;
  quiet: number;
}

/** The values of which the last that were replaced meet a condition, and those that nothing has replaced. */
function lately({ claims, past }: Field, isLate: (out: Moment) => boolean): Claim[] {
  let from = past.length;
  while (from > 0 && isLate((past[from - 1] as Claim).out as Moment)) from -= 1;
  return from === past.length ? [...claims] : [...past.slice(from), ...claims];
}

/** The values that may be shown to a reading that began at a moment. */
export const strictly = (field: Field, begun: Moment): Claim[] => lately(field, ({ place }) => place >= begun.place);

/** The one known value that may be shown to it, where there is no other and nothing is suspected of it. */
export function onlyOne({ claims, past }: Field, begun: Moment): Claim | undefined {
  const [only] = claims;
  const isAlone = claims.length === 1 && (past.at(-1)?.out?.place ?? Number.NEGATIVE_INFINITY) < begun.place;
  const isKnown = only?.how === 'sent' || only?.how === 'shown';
  return isAlone && isKnown && only.suspect === undefined ? only : undefined;
}

/** Those that may be shown to a reading that is behind by so many milliseconds at most. */
export const behind = (field: Field, begun: Moment, settleMs: number): Claim[] =>
  lately(field, ({ place, ms }) => place >= begun.place || ms > begun.ms - settleMs);

/** So many values of a field are remembered that are too old to be shown by a reading that is behind. */
const mostOld = 50;

/**
 * Adds a value. Of those that were replaced too long ago to be shown any more, few are kept: they only tell what is known
 * from what is new.
 */
export function addClaim({ claims, past }: Field, claim: Claim, sinceMs: number): void {
  claims.push(claim);
  while ((past[mostOld]?.out?.ms ?? sinceMs) < sinceMs) past.shift();
}

/** Notes since when another value has certainly replaced one. */
export function retire({ claims, past }: Field, claim: Claim, out: Moment): void {
  if (claim.out !== undefined) return;
  claim.out = out;
  claims.splice(claims.indexOf(claim), 1);
  let place = past.length;
  while (place > 0 && ((past[place - 1] as Claim).out as Moment).place > out.place) place -= 1;
  past.splice(place, 0, claim);
}

/** Notes that a value has certainly replaced all those whose writes had ended before its own began. */
export function replace(field: Field, by: Claim, at: Moment): void {
  for (const claim of [...field.claims]) if (claim !== by && claim.ended < by.begun) retire(field, claim, at);
}

/** A field of which nothing is known: whatever it is was there before. */
export const unknownField = (tally: Tally): Field => ({
  tally,
  claims: [
    {
      how: 'open',
      value: undefined,
      write: undefined,
      begun: Number.NEGATIVE_INFINITY,
      ended: Number.NEGATIVE_INFINITY,
      out: undefined,
    },
  ],
  past: [],
  confirmed: Number.NEGATIVE_INFINITY,
  confirmedBy: undefined,
  confirmedIn: undefined,
  kept: new Map(),
  isForeign: false,
});

/** A value that an answer showed: it stands for what was there all along, or beside what is known. */
export const shownClaim = (value: unknown, like: Pick<Claim, 'begun' | 'ended'>, suspect?: Suspicion): Claim => ({
  how: 'shown',
  value,
  write: undefined,
  begun: like.begun,
  ended: like.ended,
  out: undefined,
  suspect,
});
