import { exitCode } from '../contracts/report/verdict.ts';
import { tell } from './streams.ts';

/** Tells of an error that is no mistake of the caller, whatever was thrown. Returns its exit code. */
export function faultTold(error: unknown): number {
  const { stack } = Object(error) as { stack?: unknown };
  tell(`conform: a fault of the suite itself: ${typeof stack === 'string' ? stack : String(error)}\n`);
  return exitCode(['suite-fault']);
}

/**
 * Makes the exit code of all that goes wrong without being caught that of a fault of the suite: Node would end with 1,
 * which means that a target does not conform. That holds for a part of the program that is not there, too, so the rest is
 * loaded afterwards. What nobody waits for any more ends with it as well, and says so.
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
