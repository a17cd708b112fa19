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

/** Texts of which something is known; forgotten all at once when they have more than so many characters together. */
interface KnownTexts {
  has(text: string): boolean;
  add(text: string): void;
  clear(): void;
}

/** No text is known yet. Of one that has more than a tenth of the characters nothing is remembered. */
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
