/** Maximum size of the values of one map together, in bytes of JSON. */
const mostBytes = 32 * 1024 * 1024;

/** Creates a map that keeps the most recently used entries, at most `most` and at most `mostBytes`. */
export function boundedMap<K, V>(most: number) {
  const entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  let held = 0;
  function drop(key: K): void {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }
  return {
    get(key: K): V | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    /** `bytes`: the approximate size of the value. */
    set(key: K, value: V, bytes = 0): void {
      drop(key);
      entries.set(key, { value, bytes });
      held += bytes;
      while (entries.size > most || (held > mostBytes && entries.size > 1)) drop(entries.keys().next().value as K);
    },
    delete: drop,
    clear(): void {
      entries.clear();
      held = 0;
    },
    /** Returns a copy of the keys, because `get` changes their order. */
    keys: (): readonly K[] => [...entries.keys()],
    get size(): number {
      return entries.size;
    },
  };
}

/** Counts texts, with a bound on the number of different ones. */
export type Tally = ReturnType<typeof createTally>;

/** Maximum number of different texts that a tally counts apart. */
const mostTexts = 30;

/** Creates a tally. Any text beyond the first `mostTexts` different ones is counted under 'other reasons'. */
export function createTally() {
  const counted = new Map<string, number>();
  return {
    add(text: string, times = 1): void {
      const key = counted.has(text) || counted.size < mostTexts ? text : 'other reasons';
      counted.set(key, (counted.get(key) ?? 0) + times);
    },
    counts: () =>
      [...counted]
        .map(([because, count]) => ({ because, count }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || (a.because < b.because ? -1 : 1)),
  };
}
