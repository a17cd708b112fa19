import { valueText } from './layers.ts';

/** Changes of single values. Values of other types stay as they are. */

/** Replaces one value by another. `does` ends the sentence that a value is shown or stored. */
export type Change = ((value: never) => unknown) & { readonly does?: string };

/** A change that accepts values of any type. */
type AnyChange = ((value: unknown) => unknown) & { readonly does?: string };

/** Adds the end of the sentence to a change. */
export const named = <Changes extends Change>(does: string, change: Changes): Changes =>
  Object.assign((value: never) => change(value), { does }) as unknown as Changes;

/** Changes only texts. */
export const text =
  (change: (text: string) => unknown): AnyChange =>
  (value: unknown) =>
    typeof value === 'string' ? change(value) : value;

/** Changes only numbers. */
export const number =
  (change: (number: number) => unknown): AnyChange =>
  (value: unknown) =>
    typeof value === 'number' ? change(value) : value;

/** Changes only lists. */
export const list =
  (change: (list: readonly unknown[]) => unknown): AnyChange =>
  (value: unknown) =>
    Array.isArray(value) ? change(value) : value;

/** Always returns this value. */
export const to = (value: unknown): AnyChange => named(`as ${valueText(value)}`, () => value);

/** Returns the beginning of a text or a list; a negative `length` cuts that much off the end. */
export const cut = (length: number): AnyChange =>
  named(length < 0 ? 'without its end' : `up to a length of ${length}`, (value: unknown) =>
    typeof value === 'string' || Array.isArray(value) ? value.slice(0, length) : value,
  );

/** Replaces every match of a text or a global pattern, by default with nothing. */
export const replaced = (what: string | RegExp, by = ''): AnyChange => text(value => value.replaceAll(what, by));

/** Returns the opposite. */
export const negated: AnyChange = named('the other way round', flag => !flag);
export const upper = named(
  'in upper case',
  text(value => value.toUpperCase()),
);
export const lower = named(
  'in lower case',
  text(value => value.toLowerCase()),
);
export const asText: AnyChange = named('as a text', String);
export const asNumber: AnyChange = named('as a number', Number);
export const backwards = named(
  'in reverse',
  list(items => items.toReversed()),
);
export const sorted = named(
  'sorted',
  list(items => items.toSorted()),
);
export const unique = named(
  'without duplicates',
  list(items => [...new Set(items)]),
);

/** Rotates a list by `by` items. */
export const rotated = <T>(items: readonly T[], by: number): readonly T[] => {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

/** Moves the first item to the end. */
export const turned = named(
  'with its first item last',
  list(items => rotated(items, 1)),
);

/** Turns a list into an object keyed by position, like an encoder that writes lists as maps. */
export const byPosition = named(
  'as an object by position',
  list(items => ({ ...items })),
);

/** Gives all items the first item's value of a member. */
export const firstForAll = (member: string): AnyChange =>
  named(
    `with the \`${member}\` of the first item for all`,
    list(items =>
      items.map(item => ({ ...(item as object), [member]: (items[0] as Readonly<Record<string, unknown>>)[member] })),
    ),
  );
