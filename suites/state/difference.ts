import { isDeepStrictEqual } from 'node:util';
import { inWords } from '../judge/words.ts';

/** A member in which two states of an entity differ. */
export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Entity = Readonly<Record<string, unknown>>;

/** What every write may change: the stamp of the modification, who made it, and the version. */
export const modificationStamp: readonly string[] = [
  'lastModifiedTime',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'version',
];

/** The members in which two states differ, but for those named; a null and an absent member say the same. */
export function differencesOf(before: Entity, after: Entity, leaveOut: Iterable<string>): Difference[] {
  const ignored = new Set(leaveOut);
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .filter(field => !ignored.has(field))
    .filter(field => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map(field => ({ field, before: before[field], after: after[field] }));
}

/** A difference in a sentence. */
export const differenceInWords = ({ field, before, after }: Difference): string =>
  `${field}: ${inWords(before)} became ${inWords(after)}`;
