import { redactions } from '../../contracts/report/evidence.ts';

/**
 * A key as the credentials of an authentication scheme (RFC 9110 section 11.4): `Bearer 7301…` has the scheme `Bearer `
 * and the secret `7301…`. Most keys are the secret alone. The letter case of a scheme means nothing (section 11.1).
 */
export function credentialsOf(key: string): { readonly scheme: string; readonly secret: string } {
  const [, scheme = '', secret = key] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+ +)(\S.*)$/.exec(key) ?? [];
  return { scheme, secret };
}

/** Changes what is secret of a key. The scheme stays: another one is another way to authenticate, and no near miss. */
const withSecret =
  (change: (secret: string) => string) =>
  (key: string): string => {
    const { scheme, secret } = credentialsOf(key);
    return `${scheme}${change(secret)}`;
  };

/** The key in another letter case; itself where it has no letters. */
export const otherCase = withSecret(secret => {
  const upper = secret.toUpperCase();
  return upper === secret ? secret.toLowerCase() : upper;
});

/** A key of the same length and alphabet, so that only its value is wrong. */
export const sameShape = withSecret(secret =>
  secret.replace(/[A-Za-z0-9]/g, character =>
    /[0-9]/.test(character) ? String((Number(character) + 5) % 10) : rotated(character),
  ),
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
