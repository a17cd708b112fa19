import { exitCode } from '../contracts/report/verdict.ts';
import { tell } from './writer.ts';

/** Reports an error that is no mistake of the caller, whatever was thrown. Returns its exit code. */
export function faultTold(error: unknown): number {
  const { stack } = Object(error) as { stack?: unknown };
  tell(`conform: a fault of the suite itself: ${typeof stack === 'string' ? stack : String(error)}\n`);
  return exitCode(['suite-fault']);
}

/**
 * Makes uncaught errors end the process with the exit code of a suite fault: Node's 1 would mean that a target does not
 * conform.
 *
 * The rest of the program is loaded afterwards, so that a missing part counts as a fault too. If the process ends
 * before its work is done, that is reported as a fault as well.
 */
export function endWithFaults(): { done(code: number): void } {
  const fault = exitCode(['suite-fault']);
  process.exitCode = fault;
  const neverDone = (code: number): void => {
    if (code === fault) faultTold('it ended before its work did');
  };
  process.once('exit', neverDone);
  process.on('uncaughtException', error => {
    process.off('exit', neverDone);
    process.exit(faultTold(error));
  });
  return {
    done(code) {
      process.off('exit', neverDone);
      process.exitCode = code;
    },
  };
}
