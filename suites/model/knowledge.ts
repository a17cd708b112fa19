import type { Endpoint, Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import type { Suspicion } from './suspicion.ts';

/** The outcome of a write, as far as its answer tells. */
export type Outcome = 'pending' | 'accepted' | 'refused' | 'keyless' | 'dry' | 'unknown';

/** A moment: its place among all events gives the order; its time only tells how stale an answer is. */
export interface Moment {
  readonly place: number;
  readonly ms: number;
}

/** The moment before all others. */
export const longAgo: Moment = { place: 0, ms: Number.NEGATIVE_INFINITY };

/** Removes the entries of a map whose values are old. */
export function forgetOld<K, V>(map: Map<K, V>, isOld: (value: V) => boolean): void {
  for (const [key, value] of map) if (isOld(value)) map.delete(key);
}

/** A write to one entity, from its request to its answer. */
export interface Write {
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  readonly id: string;
  readonly begun: Moment;
  ended: Moment | undefined;
  outcome: Outcome;
  /** The fields that it sends; undefined if its body cannot be read. */
  readonly fields: Readonly<Record<string, Json>> | undefined;
  /** The only fields whose effect is stated; absent: all. */
  readonly onlyJudged?: readonly string[] | undefined;
  /** True if the whole body keeps its schema. */
  readonly isSound: boolean;
  /** The writes in flight at the same time, to this entity or others of its family. */
  readonly met: Write[];
}

/** A value that a field may have. */
export interface Claim {
  /**
   * Source of the value.
   * - `sent`: a request carried it.
   * - `shown`: an answer showed it.
   * - `answered`: only the answer to its own write has shown it.
   * - `open`: it may be anything.
   */
  how: 'sent' | 'shown' | 'answered' | 'open';
  value: unknown;
  /** The write that set it; undefined if it was there before, or came from others. */
  readonly write: Write | undefined;
  readonly begun: number;
  /** Place of the write's answer; infinite while it is in flight. */
  ended: number;
  /** When another value certainly replaced it. */
  out: Moment | undefined;
  /** The suspicion, if nothing explains the value. */
  readonly suspect?: Suspicion | undefined;
  /** When the reading began that raised the suspicion. */
  readonly suspectedAt?: number;
  /** The answer to the write that sent it echoed it. */
  isEchoed?: true;
  /** A reading that began after its write had ended showed it. */
  isRead?: true;
  /** When the last answer came to a write that shows it, and may have caused it. */
  answeredMs?: number;
  /** When the reading began that first showed an open value; absent if a request carried it. */
  learnedAt?: number;
}

/** Everything known of one field of one entity. */
export interface Field {
  readonly tally: Tally;
  /** The values that nothing has certainly replaced, in the order of learning. */
  readonly claims: Claim[];
  /** The values that were replaced, in the order of replacement. */
  readonly past: Claim[];
  /** When the last reading began that showed the expected value; `confirmedBy` is its operation. */
  confirmed: number;
  confirmedBy: EndpointId | undefined;
  /** The number of that exchange. */
  confirmedIn: number | undefined;
  /** How often an operation kept to a value that another had contradicted. */
  readonly kept: Map<EndpointId, number>;
  /** Somebody else has written it, so any value may be theirs. */
  isForeign: boolean;
}

/** The fields of an entity in one answer. */
export interface Reading {
  readonly begun: Moment;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** An entity: its fields, and its last readings. */
export interface Entity {
  readonly resource: Resource;
  readonly id: string;
  readonly subject: string;
  readonly fields: Map<string, Field>;
  /** The last reading of each operation. Writes that carry fields and writes that carry none count apart. */
  readonly readings: Map<string, Reading>;
  /** Fields that the service may change unasked, because of another field that was sent. */
  readonly opened: Set<string>;
  lastMs: number;
}

/** The writes to the entities of a family of kinds. */
export interface Tried {
  /** The remembered writes to each entity, the first begun first. */
  readonly byEntity: Map<string, Write[]>;
  /** The last write to each of the entities written to last, and by each operation, that was or may be accepted. */
  readonly last: Write[];
  /** When a write last began or ended, whatever its outcome. */
  quietSince: Moment;
  underWay: number;
  /** Fields that differed between two readings of one operation while nothing was tried. */
  readonly moving: Set<string>;
}

/** How often a field changed with each possible cause, and how often it did not. */
export interface Tally {
  /** By cause: how often a field was compared while it was present, and how often it had changed. */
  readonly causes: Map<string, { times: number; changed: number }>;
  /** Comparisons that found no change; `quiet` are those without any possible cause. */
  still: number;
  quiet: number;
}

/** Returns the values that nothing has replaced, and the last replaced ones that meet a condition. */
function lately({ claims, past }: Field, isLate: (out: Moment) => boolean): Claim[] {
  const early = past.findLastIndex(({ out }) => !isLate(out as Moment));
  return [...past.slice(early + 1), ...claims];
}

/** Returns the values that a reading begun at this moment may show. */
export const strictly = (field: Field, begun: Moment): Claim[] => lately(field, ({ place }) => place >= begun.place);

/** Returns the one value that such a reading may show, if it is known and not suspected. */
export function onlyOne({ claims, past }: Field, begun: Moment): Claim | undefined {
  const [only] = claims;
  const isAlone = claims.length === 1 && (past.at(-1)?.out?.place ?? Number.NEGATIVE_INFINITY) < begun.place;
  const isKnown = only?.how === 'sent' || only?.how === 'shown';
  return isAlone && isKnown && only.suspect === undefined ? only : undefined;
}

/** Returns the values that a reading may show that is stale by `settleMs` milliseconds at most. */
export const behind = (field: Field, begun: Moment, settleMs: number): Claim[] =>
  lately(field, ({ place, ms }) => place >= begun.place || ms > begun.ms - settleMs);

/** Maximum number of replaced values to keep that even a stale reading could not show. */
const mostOld = 50;

/** Adds a value. A few values that are too old to be shown are kept, to tell old values from new ones. */
export function addClaim({ claims, past }: Field, claim: Claim, sinceMs: number): void {
  claims.push(claim);
  while ((past[mostOld]?.out?.ms ?? sinceMs) < sinceMs) past.shift();
}

/** Records when another value certainly replaced a claim. */
export function retire({ claims, past }: Field, claim: Claim, out: Moment): void {
  if (claim.out !== undefined) return;
  claim.out = out;
  claims.splice(claims.indexOf(claim), 1);
  const before = past.findLastIndex(one => (one.out as Moment).place <= out.place);
  past.splice(before + 1, 0, claim);
}

/** Retires the values whose writes had ended before this one's write began. */
export function replace(field: Field, by: Claim, at: Moment): void {
  for (const claim of [...field.claims]) if (claim !== by && claim.ended < by.begun) retire(field, claim, at);
}

/** A field of which nothing is known: its value was there before. */
export const unknownField = (tally: Tally): Field => ({
  tally,
  claims: [openClaim({ begun: Number.NEGATIVE_INFINITY, ended: Number.NEGATIVE_INFINITY })],
  past: [],
  confirmed: Number.NEGATIVE_INFINITY,
  confirmedBy: undefined,
  confirmedIn: undefined,
  kept: new Map(),
  isForeign: false,
});

/** Creates the claim for a value that an answer showed. `like` gives its place in time. */
export const shownClaim = (value: unknown, like: Pick<Claim, 'begun' | 'ended'>, suspect?: Suspicion): Claim => ({
  how: 'shown',
  value,
  write: undefined,
  begun: like.begun,
  ended: like.ended,
  out: undefined,
  suspect,
});

/** Creates the claim that a field may be anything. */
export const openClaim = (like: Pick<Claim, 'begun' | 'ended'>): Claim => ({
  ...shownClaim(undefined, like),
  how: 'open',
});
