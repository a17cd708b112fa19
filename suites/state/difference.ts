import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { asText, isObject, type Json, type Members } from '../../contracts/json.ts';
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
 * Members that may change by themselves or with any write: stamps of the modification, the version, measurements, and
 * states whose transitions are not shown (section 3).
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

/** Returns one text for all values that differ only in the order of members and of list items. */
function unordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(unordered).sort().join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${unordered(member)}`);
  return `{${members.sort().join()}}`;
}

/** Returns tags in lower case, as a service may fold them. */
const folded = (tags: unknown): unknown => (Array.isArray(tags) ? tags.map(tag => asText(tag).toLowerCase()) : tags);

/** True if the order of a list counts: the schema of the request describes its items and asks for no other comparison. */
const isOrdered = (schema: Schema | undefined): boolean =>
  schema?.items !== undefined && schema.annotation?.compare === undefined;

/**
 * Returns a value without the members that its schema does not name. Such members are legal, promise nothing, and may
 * change with every answer. Free-form values stay whole.
 */
export function documented(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value))
    return schema?.items === undefined ? value : value.map(item => documented(item, schema.items));
  const properties = propertiesOf(schema);
  if (!isObject(value) || properties === undefined) return value;
  const named = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(named.map(([name, member]) => [name, documented(member, properties[name])]));
}

/** True if two objects agree in the members that both have, of which there is one at least unless either is a name alone. */
function agreeWhereShared(before: Members, after: Members): boolean {
  const names = Object.keys(before).filter(name => Object.hasOwn(after, name));
  const isNameAlone = ({ name, ...others }: Members): boolean => name !== undefined && Object.keys(others).length === 0;
  return (
    (names.length > 0 || isNameAlone(before) || isNameAlone(after)) &&
    names.every(name => same(before[name] as Json, after[name] as Json))
  );
}

/** True if two readings of a value show the same state, by the comparison that its annotation asks for. */
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
  // Duplicates count: a second reading has no reason to repeat a tag.
  if (how === 'tags') return unordered(folded(before)) === unordered(folded(after));
  if (how === 'shared' && isObject(before) && isObject(after)) return agreeWhereShared(before, after);
  // A value that need not come back as it was sent must still not change between two readings.
  if (asked?.annotation?.compare === 'never' || how === 'members') return false;
  const agree = (one: unknown, other: unknown): boolean =>
    compareEcho(one as Json, other, asked ?? shown, '').every(({ kind }) => kind === 'soft');
  return agree(before, after) && agree(after, before);
}

/**
 * Returns the documented members in which two states of an entity differ, except those in `leaveOut`. Null and absent
 * are the same, and so are sets in another order. Undocumented members may change with every answer.
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

/** True if both states show a documented member, not in `leaveOut`, that could have differed. */
export const areComparable = (
  { data }: Pick<Endpoint, 'data'>,
  before: Members,
  after: Members,
  leaveOut: readonly string[],
): boolean =>
  Object.keys(data.properties ?? {}).some(
    field => !leaveOut.includes(field) && before[field] !== undefined && after[field] !== undefined,
  );

/** Returns one violation per difference, at its member; `at` is the pointer of the entity. */
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
