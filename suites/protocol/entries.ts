/** Returns the value of a key, which is made and stored if absent. */
export function entryOf<K, V>(map: Pick<Map<K, V>, 'get' | 'set'>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Adds `by` to the count of a key, and returns the sum. */
export function count<K>(counts: Map<K, number>, key: K, by = 1): number {
  const sum = (counts.get(key) ?? 0) + by;
  counts.set(key, sum);
  return sum;
}
