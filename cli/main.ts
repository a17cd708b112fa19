#!/usr/bin/env node
import { exitCode } from '../contracts/report/verdict.ts';
import { faultLines } from './message.ts';

/**
 * Makes the exit code of all that goes wrong without being caught that of a fault of the suite: Node would end with 1,
 * which means that a target does not conform. That holds for a part of the program that is not there, too, so the rest is
 * loaded afterwards. What nobody waits for any more ends with it as well, and says so.
 */
function endWithFaults(): { done(code: number): void } {
  const fault = exitCode(['suite-fault']);
  process.exitCode = fault;
  const neverDone = (code: number): void => {
    if (code === fault) process.stderr.write(faultLines('it ended before its work did'));
  };
  process.once('exit', neverDone);
  process.on('uncaughtException', error => {
    process.off('exit', neverDone);
    process.stderr.write(faultLines(error));
    process.exit(fault);
  });
  return {
    done(code) {
      process.off('exit', neverDone);
      process.exitCode = code;
    },
  };
}

/**
 * Keeps a standard output that cannot be written from ending this process: a run still has to put its target back and
 * to write its files. A reader that closes the pipe (`| head`) changes nothing. For any other error, such as a full
 * disk, the process ends with one line on the standard error and exit code 2 instead of 0, 1 or 3.
 */
function outliveStandardOutput(): void {
  let first: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', error => {
    first ??= error;
  });
  // There is nowhere left to report it.
  process.stderr.on('error', () => {});
  process.on('exit', code => {
    if (first === undefined || first.code === 'EPIPE') return;
    process.stderr.write(`conform: cannot write the standard output (${first.code ?? first.message})\n`);
    if (code < 4) process.exitCode = 2;
  });
}

/**
 * Lets the heap grow by half of what is in use before it is collected again, instead of to four times as much, as V8
 * would: a build machine may not have that memory, and the additional collections take no time that could be measured.
 * V8 ignores a flag that it does not know. Not for the help, which is shown before that module would be loaded.
 */
async function limitHeapGrowth(): Promise<void> {
  (await import('node:v8')).setFlagsFromString('--heap-growing-percent=50');
}

outliveStandardOutput();
const end = endWithFaults();
const { main } = await import('./program.ts');
end.done(await main(process.argv.slice(2), limitHeapGrowth));
