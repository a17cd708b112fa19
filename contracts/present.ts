/** The names of the members of an object that may be undefined. */
type Absent<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T];

/** The same object with these members optional instead of undefined. */
type Present<T> = { [Name in Exclude<keyof T, Absent<T>>]: T[Name] } & {
  [Name in Absent<T>]?: Exclude<T[Name], undefined>;
};

/** Returns an object without its undefined members. */
export const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;

/** Returns the items except `undefined` and `false`: `compact([a, isLong && b])`. */
export const compact = <T>(items: readonly (T | undefined | false)[]): T[] =>
  items.filter((item): item is T => item !== undefined && item !== false);
