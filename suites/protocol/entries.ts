/** Returns the value of a key, which is made and stored if absent. */
export function entryOf<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Like `entryOf` for a promise, which is not kept if it is rejected: the next who asks tries again. */
export function promised<K, V>(map: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const made = entryOf(map, key, make);
  made.catch(() => map.get(key) === made && map.delete(key));
  return made;
}

/** Adds `by` to the count of a key, and returns the sum. */
export function count<K>(counts: Map<K, number>, key: K, by = 1): number {
  const sum = (counts.get(key) ?? 0) + by;
  counts.set(key, sum);
  return sum;
}

/** Orders counted texts by number, the most frequent first, and equals by text: whatever came first changes nothing. */
export const mostFrequentFirst = (
  [one, times]: readonly [string, number],
  [other, otherTimes]: readonly [string, number],
): number => otherTimes - times || (one < other ? -1 : 1);

/** Keeps a value under a key; of more keys than `most` the oldest goes. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}
