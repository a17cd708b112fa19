import type { Schema } from '../../contracts/dialect.ts';

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

/** The schema of the items of a list, or of the first branch of a union that is a list. */
export const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf === undefined ? schema?.items : schema.anyOf.map(itemsOf).find(found => found !== undefined);
