import type { Json } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Compared, isAsSent } from './compare.ts';
import type { Entity, Field, Moment, Reading, Tried, Write } from './knowledge.ts';
import { type Effect, idle, kinds, neighbours, overlap } from './resources.ts';
import type { Suspicion, SuspicionKind } from './suspicion.ts';

/** A write that may have caused what is shown, and what it would break by that. */
export interface Culprit {
  readonly write: Write;
  readonly requirement: RequirementId;
  readonly kind: SuspicionKind;
  readonly setBy?: Suspicion['setBy'];
}

/** What is known of a place where something is otherwise. */
export interface Place {
  readonly entity: Entity;
  readonly name: string;
  readonly field: Field;
  readonly tried: Tried;
  readonly compared: Compared;
  /** The reading that shows it. */
  readonly begun: Moment;
  /** The one before it by the same operation. */
  readonly before: Reading | undefined;
  /** What other entities may have caused is the same for all fields that were confirmed at once. */
  readonly beside: Map<number, readonly Culprit[]>;
}

const effectOf = ({ row }: Write): Effect | undefined => kinds[row.resource].effects[row.action];

/** True of a write that must not have had an effect. */
export const isIdle = ({ outcome }: Write): boolean =>
  outcome === 'refused' || outcome === 'keyless' || outcome === 'dry';

/** The requirement that a write without effect breaks by having one. */
function idleRequirement({ outcome, row }: Write): RequirementId {
  if (outcome === 'dry') return kinds[row.resource].dry ?? idle.refused;
  return outcome === 'keyless' ? idle.keyless : idle.refused;
}

/** What a write sets if it is carried out, as far as that is stated; undefined where its body cannot be read. */
export const wouldSet = (write: Write): Write['fields'] =>
  write.fields === undefined ? undefined : { ...effectOf(write)?.sets, ...write.fields };

/** What set the value of a field that a write did not carry: a default where it creates, else the operation itself. */
function setByItself(write: Write, name: string): Pick<Suspicion, 'setBy'> {
  if (Object.hasOwn(write.fields ?? {}, name) || !Object.hasOwn(effectOf(write)?.sets ?? {}, name)) return {};
  return { setBy: write.row.action === 'create' ? 'default' : 'disable' };
}

/** True of a write of which nothing tells what it does: to disable a config, say (section 3). */
export const isUnstated = (write: Write): boolean =>
  Object.keys(wouldSet(write) ?? { unread: true }).length === 0 && write.row.body === null;

/** What a request without effect breaks by having one. */
export const withoutEffect: ReadonlySet<string> = new Set([
  ...Object.values(idle),
  ...Object.values(kinds).flatMap(({ dry }) => dry ?? []),
]);

/** What a write without effect would break if it had one; none where it may have. */
export const idleCulprit = (write: Write): readonly Culprit[] =>
  isIdle(write) ? [{ write, requirement: idleRequirement(write), kind: 'trace' }] : [];

/** True of what carries nothing, and does nothing by itself: it reads. */
export const isReading = ({ fields, row: { body } }: Write): boolean =>
  fields !== undefined && Object.keys(fields).length === 0 && body !== null;

/** What a write to the entity itself would break if it had caused a field to be otherwise; undefined: nothing. */
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
  if (effect.answered !== undefined) return { write, requirement: effect.answered, kind: 'lost' };
  return effect.kept === undefined ? undefined : { write, requirement: effect.kept, kind: 'changed' };
}

/** The writes to the entity since a field was last seen as expected, the last first. */
export function writesSince({ entity, tried, field }: Pick<Place, 'entity' | 'tried' | 'field'>): Write[] {
  const found: Write[] = [];
  const writes = tried.byEntity.get(entity.subject) ?? [];
  for (let index = writes.length - 1; index >= 0; index -= 1) {
    const write = writes[index] as Write;
    if (write.ended !== undefined && write.ended.place < field.confirmed) break;
    found.push(write);
  }
  return found;
}

const none: readonly Culprit[] = [];

/** What writes to other entities would break if they had caused it. */
function othersOf({ entity, tried, field: { confirmed }, beside }: Place): readonly Culprit[] {
  const known = beside.get(confirmed);
  if (known !== undefined) return known;
  const found = tried.last
    .filter(({ id, write }) => id !== entity.subject && (write.ended?.place ?? Number.POSITIVE_INFINITY) >= confirmed)
    .map(({ write }): Culprit => ({ write, requirement: neighbours, kind: 'changed' }));
  beside.set(confirmed, found);
  return found;
}

/** What may have caused a field to be otherwise than known, since it was last seen as it should be. */
export function causesOf(place: Place): readonly Culprit[] {
  const { name, tried, field } = place;
  if (tried.underWay === 0 && tried.quietSince.place < field.confirmed) return none;
  const own = writesSince(place);
  const beside = othersOf(place);
  return own.length === 0 ? beside : [...own.flatMap(write => ownCulprit(write, name) ?? []), ...beside];
}

/** True of a write whose like was carried out before, and left the field as it was: it is a less likely cause. */
function isRepeated({ entity, tried, field: { confirmedIn = 0 } }: Place, write: Write): boolean {
  const before = tried.byEntity.get(entity.subject) ?? [];
  return before.some(
    ({ number, endpoint, outcome, fields }) =>
      number <= confirmedIn &&
      outcome === 'accepted' &&
      endpoint === write.endpoint &&
      same(fields as Json, write.fields as Json),
  );
}

/** True of an update that may replace the whole: what it does not send as it is stored is gone if it was carried out. */
const mayEmpty = (write: Write): boolean => write.row.action === 'update' && effectOf(write)?.kept === undefined;

/**
 * The culprits of a value, the most likely first: who sent this very value and must not have had an effect; who made it
 * up for another entity; whose own value is missing; who had to leave it alone.
 */
export function rankedCulprits(
  place: Place,
  got: unknown,
  origins: readonly Write[],
  isOld: boolean,
): readonly Culprit[] {
  const { name, compared } = place;
  const causes = causesOf(place);
  const carries = (write: Write): boolean => {
    const sent = wouldSet(write);
    return sent === undefined || (Object.hasOwn(sent, name) && isAsSent(sent[name] ?? null, got, compared.asked));
  };
  const hasLost = causes.some(({ kind }) => kind === 'lost');
  // A text that was made up for another entity, or refused, accuses its own request, however long ago that was.
  const foreign = origins.filter(write => write.id !== place.entity.subject || isIdle(write));
  const isStrange = foreign.length > 0 && foreign.length === origins.length;
  const rank = ({ write, kind, requirement }: Culprit): number => {
    // A value that stood there before needs nobody who carried it: the write that should have replaced it may be lost.
    if (kind === 'trace' && got === undefined && mayEmpty(write)) return 1;
    if (kind === 'trace') return carries(write) ? (isOld && hasLost ? 3 : 0) : writes(write, name) ? 4.6 : 4.8;
    if (requirement === neighbours) return isStrange && origins.includes(write) ? 1 : 5;
    return kind === 'lost' ? 2 : isRepeated(place, write) ? 5.5 : 4;
  };
  const strange = foreign
    .slice(-1)
    .map((write): Culprit => idleCulprit(write)[0] ?? { write, requirement: neighbours, kind: 'changed' });
  // Ranked once each: against a target that stores nothing, thousands of writes may have caused what is shown.
  const ranked = causes
    .map(culprit => ({ culprit, at: rank(culprit) }))
    .filter(({ at }) => at < 6)
    .sort((one, other) => one.at - other.at)
    .map(({ culprit }) => culprit);
  return isStrange ? [...strange, ...ranked] : ranked;
}

/** The writes to the same entity that were under way at the same time. */
export const rivalsOf = ({ id, met }: Write): readonly Write[] => met.filter(one => one.id === id);

/** The numbers of the requests that met a write: those to the same entity, or else those to others of its kind. */
export function besideOf(write: Write): readonly number[] {
  const rivals = rivalsOf(write);
  return (rivals.length > 0 ? rivals : write.met).map(({ number }) => number);
}

/** What a suspicion says of its culprits, the likeliest first. */
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

/** What a write whose own answer is otherwise is told with. `isOnly`: no other write could have set the field meanwhile. */
export function causeOfDue(own: Write | undefined, name: string, isOnly: boolean): Pick<Suspicion, 'beside' | 'setBy'> {
  if (own === undefined) return { beside: [] };
  return isOnly ? { beside: [], ...setByItself(own, name) } : { beside: besideOf(own) };
}

/** True of a write that sends a field, or sets it by itself. */
export const writes = (write: Write, name: string): boolean => Object.hasOwn(wouldSet(write) ?? {}, name);

/** What a write breaks that was under way beside others: to the same field, to the same entity, or to others of its kind. */
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

/** The requirements that culprits break, each once, the likeliest first: where writes overlapped, that they must not meet. */
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
