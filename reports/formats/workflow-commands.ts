import { commandBeginning, safeText } from '../text/safe-text.ts';

/** Writes and defuses the commands that the runner of GitHub workflows reads from the standard output of a step. */

const mostCharacters = 1_000;

/** A message that GitHub shows beside the step. */
export interface WorkflowAnnotation {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** Returns an annotation as one command, safe for any texts and without invisible characters. */
export function annotationLine({ severity, title, message }: WorkflowAnnotation): string {
  return `::${severity} title=${property(title)}::${data(message)}\n`;
}

/** Escapes the data of a workflow command, where percent signs and line ends are special. */
function data(text: string): string {
  const lines = text.split('\n').map(line => safeText(line, mostCharacters).replaceAll('%', '%25'));
  return lines.join('%0A');
}

/** Escapes a property of a workflow command, which a colon or comma would end. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Defuses runner commands in a text for the log. GitHub's runner obeys every line that begins with `::` (after white
 * space). It and other runners obey `##[` and the like anywhere in a line. A target that got such a line into the log
 * could mask words, stop commands or forge annotations.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u{3a}').replace(commandBeginning, '#\\u{23}');
}
