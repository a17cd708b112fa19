/** The value of a key, which is made and kept where there is none yet. */
export function entryOf<K, V>(map: Pick<Map<K, V>, 'get' | 'set'>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Counts a key once more, or by so much, and returns its count. */
export function count<K>(counts: Map<K, number>, key: K, by = 1): number {
  const sum = (counts.get(key) ?? 0) + by;
  counts.set(key, sum);
  return sum;
}
