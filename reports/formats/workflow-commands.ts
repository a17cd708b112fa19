import { commandBeginning, safeText } from '../text/safe-text.ts';

/** Writes and defuses the commands that the runner of GitHub workflows reads from the standard output of a step. */

const mostCharacters = 1_000;

/** A message that GitHub shows beside the step. */
export interface WorkflowAnnotation {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** Returns an annotation as one command, whatever its texts hold, with nothing invisible in it. */
export function annotationLine({ severity, title, message }: WorkflowAnnotation): string {
  return `::${severity} title=${property(title)}::${data(message)}\n`;
}

/** Escapes the data of a workflow command, in which percent signs and line ends have a meaning. */
function data(text: string): string {
  const lines = text.split('\n').map(line => safeText(line, mostCharacters).replaceAll('%', '%25'));
  return lines.join('%0A');
}

/** Escapes a property of a workflow command, which a colon or comma would end. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Defuses the commands of runners in a text for the log. That of GitHub obeys every line that begins with `::` (after
 * white space), it and others obey `##[` and the like wherever it stands, and whoever wrote it: a target that puts such
 * a line into the log could mask words, stop commands or forge annotations.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u{3a}').replace(commandBeginning, '#\\u{23}');
}
