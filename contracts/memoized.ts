/** Returns a function that computes its result once for each argument, by identity. It keeps no argument alive. */
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
 * Returns a function that computes a result by key and caches the `most` recently used ones. Results may be undefined.
 */
export function lastResults<V>(most: number): (key: string, make: () => V) => V {
  const known = new Map<string, { readonly result: V }>();
  return (key, make) => {
    const found = known.get(key) ?? { result: make() };
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return found.result;
  };
}

/** A set of known texts, which is cleared as a whole once their total length exceeds a limit. */
interface KnownTexts {
  has(text: string): boolean;
  add(text: string): void;
  clear(): void;
}

/** Creates an empty set of known texts. Texts longer than a tenth of the limit are not remembered. */
export function knownTexts(mostCharacters: number): KnownTexts {
  const texts = new Set<string>();
  let characters = 0;
  return {
    has: text => texts.has(text),
    add(text) {
      if (text.length * 10 > mostCharacters || texts.has(text)) return;
      if (characters + text.length > mostCharacters) this.clear();
      texts.add(text);
      characters += text.length;
    },
    clear() {
      texts.clear();
      characters = 0;
    },
  };
}
