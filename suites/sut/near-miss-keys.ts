import { redactions } from '../../contracts/report/evidence.ts';

/** The key in another letter case; itself where it has no letters. */
export const otherCase = (key: string): string => {
  const upper = key.toUpperCase();
  return upper === key ? key.toLowerCase() : upper;
};

/** A key of the same length and alphabet, so that only its value is wrong. */
export const sameShape = (key: string): string =>
  key.replace(/[A-Za-z0-9]/g, character =>
    /[0-9]/.test(character) ? String((Number(character) + 5) % 10) : rotated(character),
  );

function rotated(letter: string): string {
  const base = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}

/** The near misses that `authentication` sends and that would give the key away, with what to show instead. */
export function nearMisses(key: string): readonly (readonly [secret: string, mark: string])[] {
  return [
    [`${key}x`, redactions.longer],
    [otherCase(key), redactions.otherCase],
    [sameShape(key), redactions.sameShape],
    [key.slice(0, -1), redactions.butLast],
    [key.slice(0, Math.floor(key.length / 2)), redactions.firstHalf],
  ];
}
