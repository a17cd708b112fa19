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
