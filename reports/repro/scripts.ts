import { causesWithFindings } from '../journal/causes.ts';
import { type ScriptInput, scriptOf } from './script.ts';

/** Returns the script of each cause that has one, by the id of the cause. */
export function reproductionScripts(input: ScriptInput): ReadonlyMap<string, string> {
  return new Map(
    causesWithFindings(input.report).flatMap(cause => {
      const script = scriptOf(cause, input);
      return script === undefined ? [] : [[cause.id, script] as const];
    }),
  );
}
