/** Why the words of a command cannot be followed, in one line; null where they can. */
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
