import { redacted } from '../contracts/report/evidence.ts';
import { isUnshowable } from './terminal/safe-text.ts';

/**
 * Words of a POSIX shell command line that a person can see, copy and run: one line, nothing invisible in it. Wherever the evidence holds the mark of
 * the redacted API key, the word holds `$SERVICE_API_KEY`.
 */

const key = '"$SERVICE_API_KEY"';

/** One word: bare where that is safe, in single quotes else, and through `printf` when a character of it would not show as itself. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (isUnshowable(text)) return `"$(${printf(text)})"`;
  if (text === '') return "''";
  return text
    .split(redacted)
    .map(part => (part === '' ? '' : quoted(part)))
    .join(key);
}

/** A `printf` command that writes exactly these characters as UTF-8 (NUL too), itself in printable characters only. */
export function printf(text: string): string {
  const parts = text.split(redacted);
  const format = parts.map(octal).join('%s').replace(/^-/, '\\055');
  return ['printf', quoted(format), ...parts.slice(1).map(() => key)].join(' ');
}

/** The text in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The text as a printf format: backslash and percent doubled, what cannot be shown as octal bytes. */
function octal(text: string): string {
  let format = '';
  for (const character of text) {
    if (character === '\\' || character === '%') format += character + character;
    else if (!isUnshowable(character)) format += character;
    else for (const byte of Buffer.from(character)) format += `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return format;
}
