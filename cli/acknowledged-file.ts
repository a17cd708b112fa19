import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Acknowledged, acknowledgedSchema } from '../contracts/report/difference.ts';
import { type AcknowledgedFile, differenceKey, differenceName } from '../reports/difference/acknowledged.ts';
import { isDay, linesOfItems } from './baseline-file.ts';
import { UsageError } from './input.ts';
import { readInput } from './input-file.ts';
import { parseValid } from './target-file.ts';
import { withFile } from './writer.ts';

/** Returns what is wrong with acknowledged differences that their schema cannot express; null if nothing is. */
function problemOf({ acknowledged }: Acknowledged): string | null {
  const seen = new Set<string>();
  for (const entry of acknowledged) {
    const what = differenceName(entry);
    const key = differenceKey(entry);
    if (seen.has(key)) return `has two entries for ${what}`;
    if (entry.expires !== undefined && !isDay(entry.expires))
      return `${what}: ${JSON.stringify(entry.expires)} is no day; write YYYY-MM-DD`;
    if (entry.reason.trim() === '') return `${what} has no reason`;
    seen.add(key);
  }
  return null;
}

/** Reads acknowledged differences. Throws a `UsageError` that names the file and what is wrong with it. */
export function readAcknowledged(name: string): AcknowledgedFile {
  const text = readInput(name, 'file of acknowledged differences');
  const acknowledged = parseValid<Acknowledged>(name, text, acknowledgedSchema, 'acknowledged-differences');
  const problem = problemOf(acknowledged);
  if (problem !== null) throw new UsageError(`${name}: ${problem}`);
  return { name, acknowledged, lines: linesOfItems(text, 'acknowledged') };
}

/** Reads them to write them anew: none where there is no file yet. Throws a `UsageError` where none can be written. */
export function readAcknowledgedToUpdate(name: string): AcknowledgedFile {
  const place = existsSync(name) ? name : dirname(name);
  withFile(name, '', () => accessSync(place, constants.W_OK));
  return existsSync(name)
    ? readAcknowledged(name)
    : { name, acknowledged: { version: 1, acknowledged: [] }, lines: [] };
}
