import { codePointOf, withoutLookAlikes } from './look-alikes.ts';

/**
 * Makes text from a target safe to show. Targets may send escape sequences that move the cursor or rename the window.
 * They may send invisible or direction-changing characters that make a line read as something else. Every report goes
 * through these functions.
 */

/**
 * Characters that do not show as themselves. Controls (C0, DEL, C1), soft hyphen, joiners and fillers that take no
 * room. Arabic letter mark, and Mongolian and Khmer vowels without a shape. Zero-width and bidirectional marks,
 * overrides and isolates, line separators, invisible operators, variation selectors except those of emoji, byte order
 * mark. Interlinear marks, non-characters, controls of shorthand and music, tags, and lone surrogates.
 */
const unshowable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them alone is what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\ud800-\udfff]/u;
const everyUnshowable = new RegExp(unshowable, 'gu');

/**
 * The beginning of a command that runners obey anywhere in a line: `##[` of GitHub and Azure, `##vso[` of Azure,
 * `##teamcity[` of TeamCity.
 */
export const commandBeginning = /##(?=(?:vso|teamcity)?\[)/gi;

/** Returns true if some character of the text would not show as itself on one line of a terminal, or like another. */
export function isUnshowable(text: string): boolean {
  return unshowable.test(text) || withoutLookAlikes(text) !== text;
}

/**
 * Returns the text on one line, with every character that would not show as itself, or like another, written `\u{…}`
 * (its code point in hexadecimal). A text of more than `max` characters is cut and ends in `… (N characters)`.
 */
export function safeText(text: string, max = 4_000): string {
  let shown = text;
  let rest = '';
  // A character has one or two code units: a text that is short in units need not be counted.
  if (text.length > max) {
    const characters = Array.from(text);
    if (characters.length > max) {
      shown = characters.slice(0, max).join('');
      rest = `… (${characters.length.toLocaleString('en')} characters)`;
    }
  }
  return withoutLookAlikes(shown).replace(everyUnshowable, codePointOf) + rest;
}

/** Applies `safeText` to each line of a text and keeps the line ends. By default lines are not cut. */
export function safeLines(text: string, max = Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .map(line => safeText(line, max))
    .join('\n');
}

/**
 * Returns a value as a JSON document that escapes every character that would not show as itself. With `indent` 0 it is
 * on one line.
 */
export function safeJson(value: unknown, indent = 2): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const shown = (character: string) => (character === '\n' ? character : character.split('').map(escaped).join(''));
  // Line ends stand only between tokens, because JSON.stringify escapes them in strings. Runner commands stand only in
  // strings, so escape those too.
  const text = JSON.stringify(value, null, indent).replace(everyUnshowable, shown);
  return `${text.replace(commandBeginning, '#\\u0023')}\n`;
}
