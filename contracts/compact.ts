/** Returns the items that are there, without those that are `undefined` or `false`: `compact([a, isLong && b])`. */
export const compact = <T>(items: readonly (T | undefined | false)[]): T[] =>
  items.filter((item): item is T => item !== undefined && item !== false);
