/** A map that keeps the entries that were used last, and no more than so many. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  /** The keys that there are now: what is asked for meanwhile changes their order. */
  keys(): readonly K[];
  readonly size: number;
}

/** Makes an empty one. */
export function boundedMap<K, V>(most: number): BoundedMap<K, V> {
  const entries = new Map<K, V>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > most) entries.delete(entries.keys().next().value as K);
    },
    delete: key => void entries.delete(key),
    clear: () => entries.clear(),
    keys: () => [...entries.keys()],
    get size() {
      return entries.size;
    },
  };
}

/** Counts texts, of which only so many different ones are kept apart. */
export interface Tally {
  add(text: string, times?: number): void;
  counts(): { because: string; count: number }[];
}

/** Begins to count; what comes after `most` different texts is counted together. */
export function createTally(most = 30): Tally {
  const counted = new Map<string, number>();
  return {
    add(text, times = 1) {
      const key = counted.has(text) || counted.size < most ? text : 'other reasons';
      counted.set(key, (counted.get(key) ?? 0) + times);
    },
    counts: () =>
      [...counted]
        .map(([because, count]) => ({ because, count }))
        .sort((a, b) => b.count - a.count || (a.because < b.because ? -1 : 1)),
  };
}
