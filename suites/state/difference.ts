import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { isObject, type Json, type Members } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { propertiesOf } from '../judge/compared.ts';
import { compareEcho } from '../judge/echo.ts';
import { inWordsApart } from '../judge/words.ts';
import type { Answer } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';
import type { Said } from '../protocol/fault.ts';

/** A member in which two states of an entity differ. */
export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * What may change by itself or with any write: stamps of the modification, the version, what is measured, and the state
 * of a gate, whose transitions are not shown (section 3).
 */
export const volatile: readonly string[] = [
  'lastModifiedTime',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'version',
  // A measurement: it moves by itself.
  'checksPerHour',
  'status',
  'typeReason',
];

/** A text that is the same for two values that differ in the order of members and of lists alone. */
function unordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(unordered).sort().join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${unordered(member)}`);
  return `{${members.sort().join()}}`;
}

/** Whether the order of a list counts: where a request documents its items and says of it nothing else. */
const isOrdered = (schema: Schema | undefined): boolean =>
  schema?.items !== undefined && schema.annotation?.compare === undefined;

/**
 * A value without the members that no schema of it names: such members are legal, say nothing that anybody promised, and
 * may change with every answer. What is free-form stays whole.
 */
export function documented(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value))
    return schema?.items === undefined ? value : value.map(item => documented(item, schema.items));
  const properties = propertiesOf(schema);
  if (!isObject(value) || properties === undefined) return value;
  const named = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(named.map(([name, member]) => [name, documented(member, properties[name])]));
}

/** True if one value, read twice, shows the same state, as far as its annotation makes a difference. */
export function sameState(
  before: unknown,
  after: unknown,
  asked: Schema | undefined,
  shown: Schema | undefined,
): boolean {
  if (same(before as Json, after as Json)) return true;
  const text = (value: unknown): string => unordered(documented(value, asked ?? shown));
  if (!isOrdered(asked) && text(before) === text(after)) return true;
  const how = asked?.annotation?.compare ?? shown?.annotation?.compare;
  // What is read twice has no reason to gain a member that it has already.
  if (how === 'tags') return unordered(before).toLowerCase() === unordered(after).toLowerCase();
  // What is not expected back as it was sent still stays as it was.
  if (asked?.annotation?.compare === 'never' || how === 'members') return false;
  const agree = (one: unknown, other: unknown): boolean =>
    compareEcho(one as Json, other, asked ?? shown, '').every(({ kind }) => kind === 'soft');
  return agree(before, after) && agree(after, before);
}

/**
 * The documented members in which two states of an entity of an operation differ, but for those named; a null and an
 * absent member say the same, and so do sets in another order. What is not documented may change with every answer.
 */
export const differencesOf = (
  { data, body }: Pick<Endpoint, 'data' | 'body'>,
  before: Members,
  after: Members,
  leaveOut: readonly string[],
): Difference[] =>
  Object.keys(data.properties ?? {})
    .filter(field => !leaveOut.includes(field))
    .filter(
      field =>
        !sameState(before[field] ?? null, after[field] ?? null, body?.properties?.[field], data.properties?.[field]),
    )
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
    const [was, is] = inWordsApart(before, after);
    const should: Said = { words: expected(difference), kind: 'changed', value: before };
    return violation(answer, requirement, `${at}/${field}`, should, { words: `${was} became ${is}`, value: after });
  });
