import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../contracts/endpoint.ts';
import type { Members } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { inWords } from '../judge/words.ts';
import type { Answer } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';

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

/** True of two states that show a documented member, but for those named, which could have differed. */
export const areComparable = (
  { data }: Pick<Endpoint, 'data'>,
  before: Members,
  after: Members,
  leaveOut: readonly string[],
): boolean =>
  Object.keys(data.properties ?? {}).some(
    field => !leaveOut.includes(field) && before[field] !== undefined && after[field] !== undefined,
  );

/**
 * The violations that differences show in an answer, each at its member of the entity, of which `at` is the pointer.
 */
export const differenceViolations = (
  differences: readonly Difference[],
  answer: Answer,
  requirement: RequirementId,
  expected: (difference: Difference) => string,
  at = '/data',
): readonly Violation[] =>
  differences.map(difference => {
    const { field, before, after } = difference;
    const actual = `${field}: ${inWords(before)} became ${inWords(after)}`;
    return violation(answer, requirement, `${at}/${field}`, expected(difference), actual);
  });
