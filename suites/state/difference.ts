import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../contracts/endpoint.ts';
import type { Members } from '../../contracts/json.ts';
import { inWords } from '../judge/words.ts';

/** A member in which two states of an entity differ. */
export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What may change by itself or with any write: stamps of the modification, the version, what is measured. */
export const volatile: readonly string[] = [
  'lastModifiedTime',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'version',
  // A measurement: it moves by itself.
  'checksPerHour',
];

/**
 * The documented members in which two states of an entity of an operation differ, but for those named; a null and an
 * absent member say the same. What is not documented may change with every answer.
 */
export const differencesOf = (
  { data }: Pick<Endpoint, 'data'>,
  before: Members,
  after: Members,
  leaveOut: readonly string[],
): Difference[] =>
  Object.keys(data.properties ?? {})
    .filter(field => !leaveOut.includes(field))
    .filter(field => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map(field => ({ field, before: before[field], after: after[field] }));

/** A difference in a sentence. */
export const differenceInWords = ({ field, before, after }: Difference): string =>
  `${field}: ${inWords(before)} became ${inWords(after)}`;
