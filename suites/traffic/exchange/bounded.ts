/** What the values of one map may take together, in bytes of JSON. */
const mostBytes = 32 * 1024 * 1024;

/** Makes a map that keeps the entries that were used last: no more than so many, and no more bytes than one may hold. */
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
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    /** `bytes`: what the value takes, about. */
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
    /** The keys that there are now: what is asked for meanwhile changes their order. */
    keys: (): readonly K[] => [...entries.keys()],
    get size(): number {
      return entries.size;
    },
  };
}

/** A count of texts, of which only so many different ones are kept apart. */
export type Tally = ReturnType<typeof createTally>;

/** Begins to count; what comes after `most` different texts is counted together. */
export function createTally(most = 30) {
  const counted = new Map<string, number>();
  return {
    add(text: string, times = 1): void {
      const key = counted.has(text) || counted.size < most ? text : 'other reasons';
      counted.set(key, (counted.get(key) ?? 0) + times);
    },
    counts: () =>
      [...counted]
        .map(([because, count]) => ({ because, count }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count || (a.because < b.because ? -1 : 1)),
  };
}
