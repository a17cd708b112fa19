import type { RunFlags } from '../definitions/target.ts';
import { lastRunUnder } from '../last-run-file.ts';
import { oneRun } from '../one-run.ts';
import { withFoundConfig } from '../target.ts';
import { watchCommand } from '../watch.ts';

/**
 * Carries out `run`. Returns the exit code.
 *
 * @param given the flags that were given, by the names of their properties; the others have their defaults
 */
export async function runCommand(
  flags: RunFlags,
  environment: NodeJS.ProcessEnv,
  given: ReadonlySet<string> = new Set(),
): Promise<number> {
  const last = flags.failed === true ? lastRunUnder(flags.out) : undefined;
  const located = last?.target.embedded === true ? flags : withFoundConfig(flags);
  if (flags.watch === true) return watchCommand(located, environment, given, process.stdin);
  return (await oneRun(located, environment, { last, given })).exitCode;
}
