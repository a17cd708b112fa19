import { existsSync } from 'node:fs';
import type { Report } from '../contracts/report/report.ts';
import { connectionOf } from './connection.ts';
import { UsageError } from './input.ts';
import type { TargetFlags } from './target.ts';

/**
 * The flags that name the target of a recorded run, unless a flag says otherwise. Throws a `UsageError` where the run
 * read a target file that is not there.
 */
export function recordedTarget({ target, options }: Report, flags: TargetFlags): TargetFlags {
  const { baseUrl, apiKey, config } = flags;
  const connection = connectionOf(flags);
  const chosen = {
    ...connection,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
  if (config !== undefined) return { ...chosen, config };
  if (target.embedded) return chosen;
  if (options.config !== undefined && !existsSync(options.config)) {
    throw new UsageError(`the run read ${options.config}, which is not there; name its target file with --config`);
  }
  return { baseUrl: target.baseUrl, ...(options.config === undefined ? {} : { config: options.config }), ...chosen };
}
