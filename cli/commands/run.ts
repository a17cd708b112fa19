import type { RunFlags } from '../definitions/target.ts';
import { lastRunUnder } from '../last-run-file.ts';
import { oneRun } from '../one-run.ts';
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
  if (flags.watch === true) return watchCommand(flags, environment, given, process.stdin);
  const last = flags.failed === true ? lastRunUnder(flags.out) : undefined;
  return (await oneRun(flags, environment, { last, given })).exitCode;
}
