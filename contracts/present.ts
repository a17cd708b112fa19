/** The members of an object that may be undefined, by their names. */
type Absent<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T];

/** An object whose members are there where they are known. */
type Present<T> = { [Name in Exclude<keyof T, Absent<T>>]: T[Name] } & {
  [Name in Absent<T>]?: Exclude<T[Name], undefined>;
};

/** An object without the members that are undefined. */
export const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;

/** Returns the items that are there, without those that are `undefined` or `false`: `compact([a, isLong && b])`. */
export const compact = <T>(items: readonly (T | undefined | false)[]): T[] =>
  items.filter((item): item is T => item !== undefined && item !== false);
