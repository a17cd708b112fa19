import type { Shown } from '../contracts/redaction/shown.ts';
import { withoutCommands } from '../reports/formats/workflow-commands.ts';
import { safeLines, safeText } from '../reports/text/safe-text.ts';
import { shown } from './known-secrets.ts';

/** The part of the writer (`cli/writer.ts`) that is for terminals and pipes: all that the help of a command needs. */

const streamOf = (stream: () => NodeJS.WriteStream) => ({
  get isTTY() {
    return stream().isTTY === true;
  },
  get columns(): number | undefined {
    return stream().columns;
  },
  /** Writes a page: what it quotes is escaped already, what is laid out stays so. No runner obeys a line of it. */
  write: (text: Shown): void => void stream().write(withoutCommands(text)),
  /** Writes lines for people, whatever they quote. */
  say: (text: Shown): void => void stream().write(messageLines(text)),
  /** Writes commands that runners are to obey. */
  annotate: (text: Shown): void => void stream().write(text),
});

/** A stream of this process: what it is, and a way to write what may be shown. */
export type Stream = ReturnType<typeof streamOf>;

/** The standard output: what was asked for. */
export const output = streamOf(() => process.stdout);

/** The standard error: what is said beside it. */
export const errors = streamOf(() => process.stderr);

/** Says something beside what was asked for, without any secret that is known. */
export const tell = (text: string): void => errors.say(shown(text));

/** Prints lines that were asked for, without any secret that is known. */
export const print = (text: string): void => output.say(shown(text));

/**
 * Keeps a standard output that cannot be written from ending this process: a run still has to put its target back and
 * to write its files. A reader that closes the pipe (`| head`) changes nothing. For any other error, such as a full
 * disk, the process ends with one line on the standard error and exit code 2 instead of 0, 1 or 3.
 */
export function outliveOutputs(): void {
  let first: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', error => {
    first ??= error;
  });
  // There is nowhere left to report it.
  process.stderr.on('error', () => {});
  process.on('exit', code => {
    if (first === undefined || first.code === 'EPIPE') return;
    tell(`conform: cannot write the standard output (${first.code ?? first.message})\n`);
    if (code < 4) process.exitCode = 2;
  });
}

/** The most characters of a message: one that quotes a whole file tells nothing more. */
const most = 2_000;

/**
 * One line for people, whatever it quotes of flags, files or targets: nothing invisible stands in it, and no runner of
 * workflows takes it for a command.
 */
export const messageLine = (text: string): string => `${withoutCommands(safeText(text, most))}\n`;

/** Lines for people, of which the same holds; each is as long as it is. */
const messageLines = (text: string): string => withoutCommands(safeLines(text));
