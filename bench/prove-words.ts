/** Returns a problem with the words of a command, in one line; null if there is none. */
export function wordProblem(
  words: readonly string[],
  names: readonly string[],
  flags: readonly string[],
): string | null {
  const lost = words.filter(word => !names.includes(word) && !flags.includes(word));
  if (lost.length === 0) return null;
  const isFlag = lost.every(word => word.startsWith('-'));
  return isFlag
    ? `there is no flag ${lost.join(', ')}; there are ${flags.join(', ')}`
    : `there is no proof ${lost.join(', ')}; there are ${names.join(', ')}`;
}

/** Splits words into flags with a whole number (`given`) and the rest. A flag without a number stays a word. */
export function withoutNumbers(words: readonly string[], flags: readonly string[]) {
  const given: Record<string, number> = {};
  const rest = [...words];
  for (const flag of flags) {
    const at = rest.indexOf(flag);
    if (at < 0 || !/^\d+$/.test(rest[at + 1] ?? '')) continue;
    given[flag] = Number(rest[at + 1]);
    rest.splice(at, 2);
  }
  return { words: rest as readonly string[], given: given as Readonly<Record<string, number | undefined>> };
}

/**
 * Splits the parts off one proof, as in `regressions:go/r05`. `words` keeps the proof's name. `parts` is empty if the
 * whole proof is wanted.
 */
export function withoutParts(words: readonly string[], name: string) {
  const start = `${name}:`;
  const parts = words.filter(word => word.startsWith(start)).map(word => word.slice(start.length));
  return {
    words: words.map(word => (word.startsWith(start) ? name : word)),
    parts: words.includes(name) ? [] : parts,
  };
}
