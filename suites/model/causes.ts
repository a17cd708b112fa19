import { present } from '../../contracts/present.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Compared } from './compare.ts';
import type { Entity, Field, Moment, Reading, Tried, Write } from './knowledge.ts';
import { type Effect, idle, kinds, neighbours, overlap } from './resources.ts';
import type { Suspicion, SuspicionKind } from './suspicion.ts';

/** A write that may have caused what is shown, and the requirement that it would have broken. */
export interface Culprit {
  readonly write: Write;
  readonly requirement: RequirementId;
  readonly kind: SuspicionKind;
  readonly setBy?: Suspicion['setBy'];
}

/** A field in a reading, with what is known of it. */
export interface Place {
  readonly entity: Entity;
  readonly name: string;
  readonly field: Field;
  readonly tried: Tried;
  readonly compared: Compared;
  /** When the reading began. */
  readonly begun: Moment;
  /** The previous reading by the same operation. */
  readonly before: Reading | undefined;
  /** Cache of `othersOf`: all fields that were confirmed at the same moment share the result. */
  readonly beside: Map<number, readonly Culprit[]>;
}

/** Returns the stated effect of a write, if there is one. */
export const effectOf = ({ row }: Write): Effect | undefined => kinds[row.resource].effects[row.action];

/** True if a write is idle: it must not have had an effect. */
export const isIdle = ({ outcome }: Pick<Write, 'outcome'>): boolean =>
  outcome === 'refused' || outcome === 'keyless' || outcome === 'dry';

/** The requirement that an idle write breaks if it has an effect. */
export function idleRequirement({ outcome, row }: Pick<Write, 'outcome' | 'row'>): RequirementId {
  if (outcome === 'dry') return kinds[row.resource].dry ?? idle.refused;
  return outcome === 'keyless' ? idle.keyless : idle.refused;
}

/** Returns the fields that a write sets if carried out, as far as stated; undefined if its body cannot be read. */
export function wouldSet(write: Write): Write['fields'] {
  const { fields } = write;
  const sets = effectOf(write)?.sets;
  // Asked for each field of each answer, so no copy is made without need.
  return fields === undefined || sets === undefined ? fields : { ...sets, ...fields };
}

/** Names the source of a value that a write did not carry: the default of a creation, or the operation itself. */
function setByItself(write: Write, name: string): Pick<Suspicion, 'setBy'> {
  if (Object.hasOwn(write.fields ?? {}, name) || !Object.hasOwn(effectOf(write)?.sets ?? {}, name)) return {};
  return { setBy: write.row.action === 'create' ? 'default' : 'disable' };
}

/** True if a write has no stated effect on fields, such as disabling a config (section 3). */
export const isUnstated = (write: Write): boolean =>
  Object.keys(wouldSet(write) ?? { unread: true }).length === 0 && write.row.body === null;

/** The requirements that an idle write can break. */
export const withoutEffect: ReadonlySet<string> = new Set([
  ...Object.values(idle),
  ...Object.values(kinds).flatMap(({ dry }) => dry ?? []),
]);

/** Returns the requirement that an idle write would break, as a culprit; empty for other writes. */
export const idleCulprit = (write: Write): readonly Culprit[] =>
  isIdle(write) ? [{ write, requirement: idleRequirement(write), kind: 'trace' }] : [];

/** True if the body of a write carries no field: it only reads. */
export const isReading = ({ fields, row: { body } }: Write): boolean =>
  fields !== undefined && Object.keys(fields).length === 0 && body !== null;

/** Returns what a write to this entity would break if it caused the difference; undefined if nothing. */
function ownCulprit(write: Write, name: string): Culprit | undefined {
  const [idleOne] = idleCulprit(write);
  if (idleOne !== undefined) return idleOne;
  const effect = effectOf(write);
  if (effect === undefined) return undefined;
  if (isReading(write)) return undefined;
  const isSent = write.fields !== undefined && Object.hasOwn(write.fields, name);
  if (isSent) return { write, requirement: effect.stored, kind: 'lost' };
  if (effect.sets !== undefined && Object.hasOwn(effect.sets, name))
    return { write, requirement: effect.setAs ?? effect.stored, kind: 'lost', ...setByItself(write, name) };
  if (effect.answered !== undefined) return { write, requirement: effect.answered, kind: 'lost', setBy: 'answer' };
  return effect.kept === undefined ? undefined : { write, requirement: effect.kept, kind: 'changed' };
}

/** Returns the writes to the entity that had not ended when the field was last seen as expected, the last first. */
export function writesSince({ entity, tried, field }: Pick<Place, 'entity' | 'tried' | 'field'>): Write[] {
  const writes = tried.byEntity.get(entity.subject) ?? [];
  const isDone = ({ ended }: Write): boolean => ended !== undefined && ended.place < field.confirmed;
  const at = writes.findLastIndex(isDone);
  // One that began before the last of those may have ended after it.
  const slower = writes[at]?.met.filter(one => writes.indexOf(one) >= 0 && writes.indexOf(one) < at && !isDone(one));
  return [...(slower ?? []), ...writes.slice(at + 1)].reverse();
}

const none: readonly Culprit[] = [];

/** Returns the last writes to other entities as culprits. */
function othersOf({ entity, tried, field: { confirmed }, beside }: Place): readonly Culprit[] {
  const known = beside.get(confirmed);
  if (known !== undefined) return known;
  const found = tried.last
    .filter(({ id, ended }) => id !== entity.subject && (ended?.place ?? Number.POSITIVE_INFINITY) >= confirmed)
    .map((write): Culprit => ({ write, requirement: neighbours, kind: 'changed' }));
  beside.set(confirmed, found);
  return found;
}

/** Returns the writes that may have changed a field since it was last seen as expected. */
export function causesOf(place: Place): readonly Culprit[] {
  const { name, tried, field } = place;
  if (tried.underWay === 0 && tried.quietSince.place < field.confirmed) return none;
  const own = writesSince(place);
  const beside = othersOf(place);
  return own.length === 0 ? beside : [...own.flatMap(write => ownCulprit(write, name) ?? []), ...beside];
}

/** Returns the writes to the same entity that were in flight at the same time. */
export const rivalsOf = ({ id, met }: Write): readonly Write[] => met.filter(one => one.id === id);

/** Returns the numbers of the requests in flight beside a write: to its entity, or else to others of its family. */
export function besideOf(write: Write): readonly number[] {
  const rivals = rivalsOf(write);
  return (rivals.length > 0 ? rivals : write.met).map(({ number }) => number);
}

/** Returns the part of a suspicion that names its culprits, the likeliest first. */
export function accusing(
  culprits: readonly Culprit[],
): Pick<Suspicion, 'kind' | 'culprits' | 'beside' | 'breaks' | 'setBy'> {
  const [likeliest] = culprits;
  return {
    kind: likeliest?.kind ?? 'disagree',
    culprits: culprits.map(({ write }) => write.number),
    beside: likeliest === undefined ? [] : besideOf(likeliest.write),
    breaks: culprits.map(({ requirement }) => requirement),
    ...present({ setBy: likeliest?.setBy }),
  };
}

/**
 * Returns `beside` and `setBy` for a write whose own answer is wrong. `isOnly`: only this write could have set the
 * field.
 */
export function causeOfDue(own: Write | undefined, name: string, isOnly: boolean): Pick<Suspicion, 'beside' | 'setBy'> {
  if (own === undefined) return { beside: [] };
  return isOnly ? { beside: [], ...setByItself(own, name) } : { beside: besideOf(own) };
}

/** True if a write sends a field, or sets it by itself. */
export const writes = (write: Write, name: string): boolean => Object.hasOwn(wouldSet(write) ?? {}, name);

/** Returns the requirement on overlapping writes that a culprit breaks: for a field, an entity or a family. */
export function overlapOf(
  { write, kind, requirement }: Culprit,
  { name, entity }: Pick<Place, 'name' | 'entity'>,
): RequirementId | undefined {
  if (kind === 'trace') return undefined;
  if (requirement === neighbours)
    return write.met.some(one => one.id === entity.subject && !isIdle(one)) ? overlap.answers : undefined;
  const rivals = rivalsOf(write).filter(one => !isIdle(one));
  if (rivals.length > 0)
    return kind === 'lost' && rivals.some(one => writes(one, name)) ? overlap.values : overlap.fields;
  const isBeside =
    kinds[write.row.resource].created === undefined && write.met.some(one => one.id !== write.id && !isIdle(one));
  return isBeside ? overlap.answers : undefined;
}

/** Returns the requirements that the culprits break, each once, the likeliest first, overlap before the rest. */
export function requirementsOf(
  culprits: readonly Culprit[],
  place: Pick<Place, 'name' | 'entity'>,
  reads: RequirementId | undefined,
): readonly RequirementId[] {
  const all = culprits.flatMap(one => {
    const over = overlapOf(one, place);
    if (over === undefined) return [one.requirement];
    return over === overlap.answers
      ? [over, one.requirement]
      : [over, one.requirement, overlap.fields, overlap.answers];
  });
  return [...new Set(all.length === 0 && reads !== undefined ? [reads] : all)];
}
