import { distance } from 'fastest-levenshtein';

/** Maximum number of names in a suggestion. */
const most = 3;

/** Returns how many letters may differ: two fifths of the shorter text, and at least one. */
const tolerance = (a: string, b: string): number => Math.max(1, Math.floor(Math.min(a.length, b.length) * 0.4));

/** Returns the names that resemble a word, the nearest first: a few letters differ, or the name contains the word. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  const wanted = word.toLowerCase();
  const isPart = (name: string): boolean => wanted.length >= 4 && name.toLowerCase().includes(wanted);
  const near = names.flatMap(name => {
    const far = distance(wanted, name.toLowerCase());
    return far <= tolerance(word, name) || isPart(name) ? [{ name, far }] : [];
  });
  const best = Math.min(...near.map(({ far }) => far));
  return near
    .filter(({ far }) => far <= best + 1)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/**
 * Returns `; did you mean A or B?` for a word that resembles one of these names, else an empty text. Append it to the
 * message that there is no such name.
 */
export function didYouMean(word: string, names: readonly string[]): string {
  const found = nearest(word, [...new Set(names)]);
  return found.length === 0 ? '' : `; did you mean ${found.join(' or ')}?`;
}
