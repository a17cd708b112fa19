import { CommanderError } from '@commander-js/extra-typings';
import { rendered } from '../contracts/redaction/shown.ts';
import { exitCode } from '../contracts/report/verdict.ts';
import { faultTold } from './fault.ts';
import { UsageError } from './input.ts';
import { shown } from './known-secrets.ts';
import { messageLine } from './message.ts';
import { errors } from './streams.ts';

/** Tells of what ended a command, unless commander has. Returns the exit code: never that of a verdict. */
export function endingTold(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode(['usage-error']);
  if (!(error instanceof UsageError)) return faultTold(error);
  errors.write(rendered(shown(`conform: ${error.message}`), messageLine));
  return exitCode(['usage-error']);
}
