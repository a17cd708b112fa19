import type { Shown } from '../contracts/redaction/shown.ts';
import { shown } from './known-secrets.ts';

/** The part of the writer (`cli/writer.ts`) that is for terminals and pipes: all that the help of a command needs. */

/** A stream of this process: what it is, and a way to write what may be shown. */
export interface Stream {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  write(text: Shown): void;
}

const streamOf = (stream: () => NodeJS.WriteStream): Stream => ({
  get isTTY() {
    return stream().isTTY === true;
  },
  get columns() {
    return stream().columns;
  },
  write: text => void stream().write(text),
});

/** The standard output: what was asked for. */
export const output = streamOf(() => process.stdout);

/** The standard error: what is said beside it. */
export const errors = streamOf(() => process.stderr);

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
  // Node would print what nobody caught as it is. It is a fault of the suite.
  process.on('uncaughtException', error => {
    errors.write(shown(`conform: a fault of the suite itself: ${error.stack ?? error.message}\n`));
    process.exit(4);
  });
  process.on('exit', code => {
    if (first === undefined || first.code === 'EPIPE') return;
    errors.write(shown(`conform: cannot write the standard output (${first.code ?? first.message})\n`));
    if (code < 4) process.exitCode = 2;
  });
}
