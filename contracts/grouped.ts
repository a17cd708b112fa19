/** Groups items by a key, in the order in which the keys first appear. */
export function grouped<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (!group) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the items that agree in a key, which may be any JSON value, group by group in the order of their first items. */
export const alike = <T>(items: Iterable<T>, keyOf: (item: T) => unknown): [T, ...T[]][] =>
  [...grouped(items, item => JSON.stringify(keyOf(item))).values()] as [T, ...T[]][];

/** Returns each of the items once, in the order in which they come first. */
export const distinct = <T>(items: Iterable<T>): T[] => [...new Set(items)];
