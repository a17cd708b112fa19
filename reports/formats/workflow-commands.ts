import { safeText } from '../text/safe-text.ts';

/** The commands that the runner of GitHub workflows reads from the standard output of a step: how to give one, and how to give none. */

const mostCharacters = 1_000;

/** A remark that GitHub shows beside the step. */
export interface Annotation {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** An annotation as the line that the runner reads; whatever its texts hold, it is one command and shows nothing unseen. */
export function annotationLine({ severity, title, message }: Annotation): string {
  return `::${severity} title=${property(title)}::${data(message)}\n`;
}

/** What follows a workflow command's `::`: percent and line ends are escaped, and no other sign would be read. */
function data(text: string): string {
  const lines = text.split('\n').map(line => safeText(line, mostCharacters).replaceAll('%', '%25'));
  return lines.join('%0A');
}

/** A property of a workflow command, which a colon or comma would end. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Text for the log of a workflow in which nothing is a workflow command: the runner obeys every line that begins with `::` (after white space) and every
 * `##[`, whoever wrote it. A target that could put such a line into the log could mask words, stop commands or forge annotations.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1\\u{3a}').replaceAll('##[', '#\\u{23}[');
}
