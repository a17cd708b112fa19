import { existsSync } from 'node:fs';
import type { RunStart } from '../contracts/report/journal.ts';
import { safeText } from '../reports/text/safe-text.ts';
import type { ReplayFlags } from './definitions/target.ts';
import { refuse } from './input.ts';
import { baseUrlOf, type ChosenTarget, type TargetFlags } from './target.ts';
import { tell } from './writer.ts';

/**
 * The flags that name the target of a command which sends again what a run has sent, or puts back what it changed.
 * `addressFrom`: where the address came from, once that was settled.
 */
export type RecordedTargetFlags = TargetFlags &
  Pick<ReplayFlags, 'useReportedAddress'> & { readonly addressFrom?: string };

/** What a report or a journal says of the target of its run. */
interface Recorded extends Pick<RunStart, 'target'> {
  readonly options: Pick<RunStart['options'], 'config'>;
}

/** Where an address comes from, and the target file if that is not where the file of the flags is. */
function sourceOf({ baseUrl, config, addressFrom }: RecordedTargetFlags, file: string): string {
  if (addressFrom !== undefined) return addressFrom;
  if (baseUrl !== undefined) return 'from --base-url';
  return config === undefined ? `from ${file}, by --use-reported-address` : `from ${config}`;
}

/**
 * The flags that name the target of a recorded run. The key goes where somebody says who gives it: a report may be
 * another's, so the address that it names is taken only where that is asked for. Throws a `UsageError` that tells it
 * elsewhere, and one where the run read a target file that is not there.
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

/** Says where a command is about to send to, and who named the address, on the standard error. */
export function tellAddress(
  { target, embedded }: ChosenTarget,
  { addressFrom = '', config }: RecordedTargetFlags,
): void {
  const file =
    config === undefined || addressFrom.endsWith(config) ? '' : `, with the target file ${safeText(config, 400)}`;
  const from = embedded ? 'the embedded reference server' : `${addressFrom}${file}`;
  tell(`Sending to ${target.baseUrl.href} (${from}).\n`);
}
