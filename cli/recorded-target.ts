import { existsSync } from 'node:fs';
import type { RunStart } from '../contracts/report/journal.ts';
import { safeText } from '../reports/text/safe-text.ts';
import type { ReplayFlags } from './definitions/target.ts';
import { refuse } from './input.ts';
import { baseUrlOf, type ChosenTarget, type TargetFlags } from './target.ts';
import { tell } from './writer.ts';

/**
 * The flags that name the target of a command that repeats or undoes a recorded run. `addressFrom`: the source of the
 * address, once settled.
 */
export type RecordedTargetFlags = TargetFlags &
  Pick<ReplayFlags, 'useReportedAddress'> & { readonly addressFrom?: string };

/** The target of a run, as a report or a journal names it. */
interface Recorded extends Pick<RunStart, 'target'> {
  readonly options: Pick<RunStart['options'], 'config'>;
}

/** Returns the source of an address, for display. */
function sourceOf({ baseUrl, config, addressFrom }: RecordedTargetFlags, file: string): string {
  if (addressFrom !== undefined) return addressFrom;
  if (baseUrl !== undefined) return 'from --base-url';
  return config === undefined ? `from ${file}, by --use-reported-address` : `from ${config}`;
}

/**
 * Returns the flags that name the target of a recorded run.
 *
 * The key is sent only where the user says. A report may come from somebody else, so its address is used only with
 * `--use-reported-address`.
 *
 * Throws a `UsageError` that shows the address if that flag is missing, and one if the run's target file is missing.
 *
 * @param file the report or journal
 */
export function recordedTarget(
  { target, options }: Recorded,
  file: string,
  flags: RecordedTargetFlags,
): RecordedTargetFlags {
  const { baseUrl, config } = flags;
  if (target.embedded && baseUrl === undefined && config === undefined) return flags;
  const addressFrom = sourceOf(flags, file);
  if (config !== undefined) return { ...flags, addressFrom };
  const named = target.embedded ? undefined : options.config;
  if (named !== undefined && !existsSync(named))
    refuse(`the run read ${safeText(named, 400)}, which is not there; name its target file with --config`);
  const known = { ...flags, config: named, addressFrom };
  if (baseUrl !== undefined) return known;
  const { href } = baseUrlOf(safeText(target.baseUrl, 400), `the address in ${file}`);
  if (flags.useReportedAddress !== true)
    refuse(`${file} names ${href}; give --base-url or --config, or --use-reported-address to send the key there`);
  return { ...known, baseUrl: href };
}

/** Says on the standard error where a command is about to send to, and the source of the address. */
export function tellAddress(
  { target, embedded }: ChosenTarget,
  { addressFrom = '', config }: RecordedTargetFlags,
): void {
  const file =
    config === undefined || addressFrom.endsWith(config) ? '' : `, with the target file ${safeText(config, 400)}`;
  const from = embedded ? 'the embedded reference server' : `${addressFrom}${file}`;
  tell(`Sending to ${target.baseUrl.href} (${from}).\n`);
}
