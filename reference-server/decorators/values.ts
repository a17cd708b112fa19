/** What can be done to a value, wherever it stands. What is of another type stays as it is. */

/** Gives another value in the place of one. */
export type Change = (value: never) => unknown;

/** A change that may meet any value. */
type AnyChange = (value: unknown) => unknown;

/** A change of texts alone. */
export const text =
  (change: (text: string) => unknown): AnyChange =>
  (value: unknown) =>
    typeof value === 'string' ? change(value) : value;

/** A change of numbers alone. */
export const number =
  (change: (number: number) => unknown): AnyChange =>
  (value: unknown) =>
    typeof value === 'number' ? change(value) : value;

/** A change of lists alone. */
export const list =
  (change: (list: readonly unknown[]) => unknown): AnyChange =>
  (value: unknown) =>
    Array.isArray(value) ? change(value) : value;

/** Always this value. */
export const to =
  (value: unknown): AnyChange =>
  () =>
    value;

/** The beginning of a text or a list; all but the end where `length` is negative. */
export const cut =
  (length: number): AnyChange =>
  (value: unknown) =>
    typeof value === 'string' || Array.isArray(value) ? value.slice(0, length) : value;

/** Every occurrence of a text or a pattern (which is global), or nothing in its place. */
export const replaced = (what: string | RegExp, by = ''): AnyChange => text(value => value.replaceAll(what, by));

/** The other way round. */
export const negated: AnyChange = flag => !flag;
export const upper = text(value => value.toUpperCase());
export const lower = text(value => value.toLowerCase());
export const backwards = list(items => items.toReversed());
export const sorted = list(items => items.toSorted());
export const unique = list(items => [...new Set(items)]);

/** A list that begins with another item. */
export const rotated = <T>(items: readonly T[], by: number): readonly T[] => {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

/** The second item first, and the first one last. */
export const turned = list(items => rotated(items, 1));

/** A list as an object by position, as an encoder does that keeps lists as maps. */
export const byPosition = list(items => ({ ...items }));

/** All items of a list with this member of the first. */
export const firstForAll = (member: string): AnyChange =>
  list(items =>
    items.map(item => ({ ...(item as object), [member]: (items[0] as Readonly<Record<string, unknown>>)[member] })),
  );
