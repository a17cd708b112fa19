import { exitCode } from '../contracts/report/verdict.ts';
import { shown } from './known-secrets.ts';
import { errors } from './streams.ts';

/** Tells of an error that is no mistake of the caller, whatever was thrown. Returns its exit code. */
export function faultTold(error: unknown): number {
  const { stack } = Object(error) as { stack?: unknown };
  errors.say(shown(`conform: a fault of the suite itself: ${typeof stack === 'string' ? stack : String(error)}\n`));
  return exitCode(['suite-fault']);
}
