import type { Schema } from '../../contracts/dialect.ts';
import { steps } from '../../contracts/pointer.ts';

/**
 * What the contract says of a value of an answer: a clock, a version, a measurement, an id that the server gives, or a
 * list whose order means nothing. Absent: a value like any other.
 */
export type ValueKind = 'clock' | 'version' | 'measured' | 'id' | 'set' | 'tags';

/** Measurements: they move by themselves. */
const measured: ReadonlySet<string> = new Set(['checksPerHour', 'count', 'estimatedUsers']);

/** Names of members that hold the time of something. */
const ofTime = /(?:Time|Timestamp|At|_at|_time)$/;

/** Names of members that hold an id, or what a server knows of the person behind the key. */
const ofId = /^(?:id|ids|salt)$|(?:ID|IDs|Id|Ids|_id)$|^(?:owner|creator|lastModifier)(?:ID|Name|Email)$/;

/** What is known of a member before any answer is read. `asked` is the schema of the same member in the request. */
export function kindOf(name: string, shown: Schema | undefined, asked: Schema | undefined): ValueKind | undefined {
  const annotation = { ...shown?.annotation, ...asked?.annotation };
  if (annotation.formatHint === 'timestamp' || ofTime.test(name)) return 'clock';
  if (name === 'version') return 'version';
  if (measured.has(name)) return 'measured';
  if (annotation.compare === 'tags') return 'tags';
  if (annotation.compare === 'unordered') return 'set';
  if (annotation.refersTo !== undefined || ofId.test(name)) return 'id';
  return undefined;
}

/** Names of members that hold something of a person. */
const ofPerson = /^(?:owner|creator|lastModifier)(?<what>ID|Name|Email)$/;

/** Names of members that hold the id of a group of an experiment. */
const ofGroup = /group_?id$/i;

/**
 * The ids among which an id is one and the same: those of people, those of the groups of one experiment, those of what
 * one list of one entity holds. Ids of two scopes may be equal on one side and differ on the other.
 *
 * @param name the member that holds the id
 * @param pointer where it stands
 * @param entity whose answer it is
 */
export function idScopeOf(
  name: string,
  pointer: string,
  entity: string,
  shown: Schema | undefined,
  asked: Schema | undefined,
): string {
  const person = ofPerson.exec(name)?.groups?.what;
  if (person !== undefined) return `person ${person}`;
  const holder = steps(pointer)
    .slice(0, -1)
    .findLast(step => !/^(?:\d+|\*)$/.test(step));
  const isGroup = ofGroup.test(name) || (name === 'id' && holder === 'groups');
  if (isGroup) return `group of ${entity}`;
  const { refersTo } = { ...shown?.annotation, ...asked?.annotation };
  if (refersTo !== undefined) return refersTo;
  return name === 'id' && holder !== undefined && holder !== 'data' ? `${holder} of ${entity}` : name;
}

/** The schema of the items of a list, or of the first branch of a union that is a list. */
export const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf === undefined ? schema?.items : schema.anyOf.map(itemsOf).find(found => found !== undefined);
