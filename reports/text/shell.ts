import { redactions } from '../../contracts/report/evidence.ts';
import { isUnshowable } from './safe-text.ts';

/**
 * Words of a POSIX shell command line that a person can see, copy and run: one line, nothing invisible in it. Wherever the evidence holds a
 * mark of the redacted API key, the word has the shell make it again from `$SERVICE_API_KEY`.
 */

const variable = 'SERVICE_API_KEY';
const key = `"$${variable}"`;

/** How the shell makes each of the redacted texts from the key. */
const remakes: Readonly<Record<keyof typeof redactions, string>> = {
  key,
  longer: `"\${${variable}}x"`,
  otherCase: `"$(printf %s ${key} | tr a-zA-Z A-Za-z)"`,
  sameShape: `"$(printf %s ${key} | tr A-Za-z0-9 N-ZA-Mn-za-m5-90-4)"`,
  butLast: `"\${${variable}%?}"`,
  firstHalf: `"$(printf %s ${key} | cut -c1-$((\${#${variable}} / 2)))"`,
};
const remakeOf = new Map<string, string>(
  Object.entries(redactions).map(([name, mark]) => [mark, remakes[name as keyof typeof redactions]]),
);
const marks = new RegExp(`(${Object.values(redactions).join('|')})`, 'u');

/** True if some of the text is a mark for the key. */
export function isRedacted(text: string): boolean {
  return marks.test(text);
}

/** One word: bare where that is safe, in single quotes else, and through `printf` when a character of it would not show as itself. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (isUnshowable(text)) return `"$(${printf(text)})"`;
  if (text === '') return "''";
  return text
    .split(marks)
    .map(part => remakeOf.get(part) ?? (part === '' ? '' : quoted(part)))
    .join('');
}

/** A `printf` command that writes exactly these characters as UTF-8 (NUL too), itself in printable characters only. */
export function printf(text: string): string {
  const parts = text.split(marks);
  const format = parts
    .map(part => (remakeOf.has(part) ? '%s' : octal(part)))
    .join('')
    .replace(/^-/, '\\055');
  return ['printf', quoted(format), ...parts.flatMap(part => remakeOf.get(part) ?? [])].join(' ');
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
