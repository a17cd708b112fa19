import { redactions } from '../../contracts/report/evidence.ts';

/**
 * Splits a key into the parts of credentials (RFC 9110 section 11.4): `Bearer 7301…` has the scheme `Bearer ` and the
 * secret `7301…`. Most keys are the secret alone. The letter case of a scheme means nothing (section 11.1).
 */
export function credentialsOf(key: string): { readonly scheme: string; readonly secret: string } {
  const [, scheme = '', secret = key] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+ +)(\S.*)$/.exec(key) ?? [];
  return { scheme, secret };
}

/** Changes only the secret part of a key: another scheme would be another way to authenticate, not a near miss. */
const withSecret =
  (change: (secret: string) => string) =>
  (key: string): string => {
    const { scheme, secret } = credentialsOf(key);
    return `${scheme}${change(secret)}`;
  };

/** Returns the key in another letter case; unchanged if it has no letters. */
export const otherCase = withSecret(secret => {
  const upper = secret.toUpperCase();
  return upper === secret ? secret.toLowerCase() : upper;
});

/** Returns a key of the same length and alphabet, so that only its value is wrong. */
export const sameShape = withSecret(secret =>
  secret.replace(/[A-Za-z0-9]/g, character =>
    /[0-9]/.test(character) ? String((Number(character) + 5) % 10) : rotated(character),
  ),
);

function rotated(letter: string): string {
  const base = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}

/** Returns a text with every printable character changed. */
const otherwise = (text: string): string =>
  text.replace(/[!-~]/g, sign => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33));

const turned = (text: string): string =>
  text.replace(/[A-Za-z]/g, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/** Returns the key with its middle character changed; unchanged if that is in the scheme. */
export function changedInside(key: string): string {
  const middle = Math.floor(key.length / 2);
  if (middle < credentialsOf(key).scheme.length) return key;
  return `${key.slice(0, middle)}${otherwise(key.charAt(middle))}${key.slice(middle + 1)}`;
}

/** Number of characters changed at the end of a key that is at least twice as long. */
const tail = 4;

/** Returns the key with its last four characters changed; unchanged if the secret is shorter than eight. */
export const changedAtEnd = (key: string): string =>
  credentialsOf(key).secret.length < 2 * tail ? key : `${key.slice(0, -tail)}${otherwise(key.slice(-tail))}`;

/** Returns the key with its first part, up to a separator, in another letter case; unchanged without parts. */
export const firstPartTurned = (key: string): string =>
  credentialsOf(key).scheme !== '' || /^[A-Za-z0-9]*$/.test(key) ? key : key.replace(/^[A-Za-z0-9]+/, turned);

/** Returns the key with its last part, after a separator, in another letter case; unchanged without parts. */
export const lastPartTurned = withSecret(secret =>
  /^[A-Za-z0-9]*$/.test(secret) ? secret : secret.replace(/[A-Za-z0-9]+$/, turned),
);

/** Returns the key without its last part and the separator before it; unchanged without parts. */
export const withoutLastPart = withSecret(secret => secret.replace(/(?<=.)[^A-Za-z0-9][A-Za-z0-9]*$/s, ''));

/** Returns the key with one character before its secret. */
export const longerBefore = withSecret(secret => `x${secret}`);

/** Returns the key without the separators of its parts; unchanged without parts. */
export const joinedParts = withSecret(secret => secret.replace(/[^A-Za-z0-9]/g, ''));

/** Returns basic credentials with the key as the user and no password (RFC 7617 section 2). */
export const asBasic = (key: string): string => Buffer.from(`${credentialsOf(key).secret}:`).toString('base64');

/** Returns the near misses sent by `authentication` that would reveal the key, each with its redaction. */
export function nearMisses(key: string): readonly (readonly [secret: string, mark: string])[] {
  const misses = [
    [`${key}x`, redactions.longer],
    [longerBefore(key), redactions.longerBefore],
    [joinedParts(key), redactions.joinedParts],
    [otherCase(key), redactions.otherCase],
    [sameShape(key), redactions.sameShape],
    [key.slice(0, -1), redactions.butLast],
    [key.slice(0, Math.floor(key.length / 2)), redactions.firstHalf],
    [changedInside(key), redactions.inside],
    [changedAtEnd(key), redactions.lastChanged],
    [firstPartTurned(key), redactions.firstPartCase],
    [lastPartTurned(key), redactions.lastPartCase],
    [withoutLastPart(key), redactions.butLastPart],
    [asBasic(key), redactions.basic],
  ] as const;
  // A first part such as `key` of `key-reference` is a common word, and gives little away.
  return misses.filter(([miss]) => miss !== key && 2 * miss.length >= key.length - 1);
}
