/** Returns a function that computes its result once for each argument, by identity, and keeps no argument alive. */
export function memoized<K extends object, V extends object>(compute: (argument: K) => V): (argument: K) => V {
  const known = new WeakMap<K, V>();
  return argument => {
    const before = known.get(argument);
    if (before !== undefined) return before;
    const value = compute(argument);
    known.set(argument, value);
    return value;
  };
}

/**
 * Returns what makes a result for a key, and remembers it: of those that were asked for last, at most so many. Results
 * may be undefined.
 */
export function lastResults<V>(most: number): (key: string, make: () => V) => V {
  const known = new Map<string, { readonly result: V }>();
  return (key, make) => {
    const found = known.get(key) ?? { result: make() };
    known.delete(key);
    known.set(key, found);
    for (const [oldest] of known) if (known.size > most) known.delete(oldest);
    return found.result;
  };
}
