/**
 * Small checks over JSON values, put together like bricks. A check answers with what is wrong, or with nothing. They
 * are written for the independent server alone and share no code with the contracts: a mistake in one cannot hide in
 * the other.
 */

/** A JSON object as it was read. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a value, told with the place it stands at; nothing when it is right. */
export type Check = (value: unknown, at: string) => string | undefined;

/** True of a JSON object: neither null nor an array. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any value at all. */
export const anything: Check = () => undefined;

/** A JSON object with any content. */
export const object: Check = (value, at) => (isFields(value) ? undefined : `${at} must be an object`);

/** True or false. */
export const flag: Check = (value, at) => (typeof value === 'boolean' ? undefined : `${at} must be true or false`);

/** Text; lengths count code points. */
export function text(rule: { min?: number; max?: number; pattern?: RegExp } = {}): Check {
  return (value, at) => {
    if (typeof value !== 'string') return `${at} must be text`;
    const length = [...value].length;
    if (length < (rule.min ?? 0)) return `${at} is too short`;
    if (length > (rule.max ?? Number.POSITIVE_INFINITY)) return `${at} is too long`;
    return rule.pattern === undefined || rule.pattern.test(value) ? undefined : `${at} holds a character it may not`;
  };
}

/** A number between inclusive bounds. */
export function number(rule: { min?: number; max?: number } = {}): Check {
  return (value, at) => {
    if (typeof value !== 'number') return `${at} must be a number`;
    const inside = value >= (rule.min ?? -Infinity) && value <= (rule.max ?? Infinity);
    return inside ? undefined : `${at} is out of bounds`;
  };
}

/** A whole number between inclusive bounds; 2.0 is whole. */
export function integer(rule: { min?: number; max?: number } = {}): Check {
  return (value, at) =>
    typeof value === 'number' && !Number.isInteger(value) ? `${at} must be whole` : number(rule)(value, at);
}

/** One of the values named. */
export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value, at) =>
    values.includes(value) ? undefined : `${at} must be one of ${values.join(', ')}`;

/** A name found among those that exist. */
export const known =
  (what: string, names: readonly string[]): Check =>
  (value, at) => {
    if (typeof value !== 'string') return `${at} must be text`;
    return names.includes(value) ? undefined : `${at}: no such ${what}`;
  };

/** Null, or what the check asks for. */
export const orNull =
  (check: Check): Check =>
  (value, at) =>
    value === null ? undefined : check(value, at);

/** An array of items that each pass. */
export const listOf =
  (check: Check, rule: { max?: number } = {}): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return `${at} must be an array`;
    if (value.length > (rule.max ?? Number.POSITIVE_INFINITY)) return `${at} has too many items`;
    return firstOf(value, (item, index) => check(item, `${at}/${index}`));
  };

/** An object whose named fields pass and whose required ones are there; fields not named are let through. */
export const record =
  (fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    if (!isFields(value)) return `${at} must be an object`;
    const missing = required.find(name => !Object.hasOwn(value, name));
    if (missing !== undefined) return `${at}/${missing} is missing`;
    const sent = Object.entries(fields).filter(([name]) => Object.hasOwn(value, name));
    return firstOf(sent, ([name, check]) => check(value[name], `${at}/${name}`));
  };

/** No field but those named: what nobody knows is refused rather than left lying about. */
const closed =
  (names: readonly string[]): Check =>
  (value, at) => {
    const stranger = isFields(value) ? Object.keys(value).find(name => !names.includes(name)) : undefined;
    return stranger === undefined ? undefined : `${at}/${stranger} is not known`;
  };

/** An object with the named fields and no others. */
export const exactly = (fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  all(closed(Object.keys(fields)), record(fields, required));

/** Every check in turn, on the same value. */
export const all =
  (...checks: readonly Check[]): Check =>
  (value, at) =>
    firstOf(checks, check => check(value, at));

function firstOf<T>(items: readonly T[], problemOf: (item: T, index: number) => string | undefined) {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
