import { printf, singleQuoted } from '../text/shell.ts';

/**
 * Writes texts of a report as parts of a shell script. Whatever stands in them, the shell reads it as text: in single
 * quotes, or as the format of `printf`. A token of the run becomes `$token`, which is new each time the script runs.
 */
export interface ShellParts {
  /** One word. */
  word(text: string): string;
  /** Commands that write exactly this text. */
  written(text: string): string;
}

/** The token of the script, as it stands in a command. */
const ownToken = '"$token"';

/** Returns the lines that make the token of a few characters that these lines ask for. */
export const tokenLines = (lines: readonly string[], characters: number): readonly string[] =>
  lines.some(line => line.includes(ownToken))
    ? [`token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | cut -c1-${characters})`]
    : [];

/** Returns the writers for a run whose created names carry one of `tokens`: each shard of a run has its own. */
export function shellParts(tokens: readonly string[]): ShellParts {
  const own = tokens.filter(token => token !== '');
  const split = (text: string): string[] =>
    own.reduce<string[]>((parts, token) => parts.flatMap(part => part.split(token)), [text]);
  return {
    word: text => split(text).map(wordPart).join(ownToken) || "''",
    written: text =>
      split(text)
        .map(part => (part === '' ? '' : printf(part)))
        .join(`\nprintf %s ${ownToken}\n`)
        .split('\n')
        .filter(line => line !== '')
        .join('; ') || ':',
  };
}

/** A text of one line that shows as it is; anything else comes out of `printf`. */
const isPlain = /^[ -~]*$/;

const wordPart = (text: string): string =>
  text === '' ? '' : isPlain.test(text) && !text.includes('«') ? singleQuoted(text) : `"$(${printf(text)})"`;
