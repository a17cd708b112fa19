/**
 * Writes out characters that print like others. Without this, a refused text reads like the accepted one, and an answer
 * that changed a text reads as if it had not.
 */

/** Blanks beyond ASCII that print like the ordinary one. */
const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f]/gu;

/** A character with its marks, a Korean syllable in parts, or one character: what Unicode may write in another way. */
const clusters = /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|\P{ASCII}/gu;

const words = /[\p{L}\p{N}\p{M}_]+/gu;

/**
 * Letters and digits that print like some of ASCII: the long s and the i without a dot, those of Greek, Cyrillic and
 * Armenian, Arabic digits, letterlike symbols, Roman numerals, those of full width and of mathematics.
 */
const likeAscii =
  /[\u017f\u0131\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b9\u03bd\u03bf\u03c1\u03c5\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0423\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d\u0555\u0578\u057d\u0585\u0661\u0665\u06f1\u06f5\u2102-\u2138\u2160\u2164\u2169\u216c-\u2170\u2174\u2179\u217c-\u217f\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/gu;

/** Returns a character as its code point in hexadecimal: `\u{212a}`. */
export const codePointOf = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Returns a cluster with its code points, if Unicode composes it or replaces it by what prints the same. */
function apart(cluster: string): string {
  if (cluster === cluster.normalize('NFC')) return cluster;
  const [first = '', ...rest] = cluster;
  const head = first === first.normalize('NFC') ? first : codePointOf(first);
  return head + rest.map(codePointOf).join('');
}

/**
 * Returns a text with the code points of characters that print like others: blanks that are none, letters apart from
 * their accents, and letters of other scripts in a word of ASCII. A word of another script alone stays as it is.
 */
export function withoutLookAlikes(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text;
  const composed = text === text.normalize('NFC') ? text : text.replace(clusters, apart);
  // A mark at the beginning would join whatever is printed before it.
  const own = composed.replace(blanks, codePointOf).replace(/^\p{M}/u, codePointOf);
  return own.replace(words, word => (/[A-Za-z]/.test(word) ? word.replace(likeAscii, codePointOf) : word));
}
