import type { Shown } from '../contracts/redaction/shown.ts';
import { withoutCommands } from '../reports/formats/workflow-commands.ts';
import { safeLines, safeText } from '../reports/text/safe-text.ts';
import { shown } from './known-secrets.ts';

/** The part of the writer (`cli/writer.ts`) for terminals and pipes: all that the help of a command needs. */

const streamOf = (stream: () => NodeJS.WriteStream) => ({
  get isTTY() {
    return stream().isTTY === true;
  },
  get columns(): number | undefined {
    return stream().columns;
  },
  /** Writes a page, whose quotations are already escaped, and keeps its layout. Disarms workflow commands. */
  write: (text: Shown): void => void stream().write(withoutCommands(text)),
  /** Writes lines for people; escapes whatever they quote. */
  say: (text: Shown): void => void stream().write(messageLines(text)),
  /** Writes workflow commands, for runners to obey. */
  annotate: (text: Shown): void => void stream().write(text),
});

/** A stream of this process: its properties, and ways to write redacted texts. */
export type Stream = ReturnType<typeof streamOf>;

/** The standard output, for the requested result. */
export const output = streamOf(() => process.stdout);

/** The standard error, for everything else. */
export const errors = streamOf(() => process.stderr);

/** Writes lines to the standard error, without any known secret. */
export const tell = (text: string): void => errors.say(shown(text));

/** Prints lines to the standard output, without any known secret. */
export const print = (text: string): void => output.say(shown(text));

/**
 * Keeps this process alive if its standard output cannot be written, because a run still has to restore its target and
 * write its files. A reader that closes the pipe (`| head`) changes nothing. After any other error, such as a full
 * disk, the process ends with one line on the standard error. Its exit code is then 2 instead of 0, 1 or 3.
 */
export function outliveOutputs(): void {
  let first: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', error => {
    first ??= error;
  });
  // There is no stream left to report it on.
  process.stderr.on('error', () => {});
  process.on('exit', code => {
    if (first === undefined || first.code === 'EPIPE') return;
    tell(`conform: cannot write the standard output (${first.code ?? first.message})\n`);
    if (code < 4) process.exitCode = 2;
  });
}

/** Maximum number of characters of a message, which might quote a whole file. */
const most = 2_000;

/**
 * Returns one line for people, whatever it quotes of flags, files or targets. Invisible characters are escaped, and no
 * workflow runner takes the line for a command.
 */
export const messageLine = (text: string): string => `${withoutCommands(safeText(text, most))}\n`;

/** Returns lines for people, escaped in the same way but not truncated. */
const messageLines = (text: string): string => withoutCommands(safeLines(text));
