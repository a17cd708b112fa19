import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Acknowledged, acknowledgedSchema } from '../contracts/report/difference.ts';
import { type AcknowledgedFile, differenceKey, differenceName } from '../reports/difference/acknowledged.ts';
import { linesOfItems, refuseEntries } from './baseline-file.ts';
import { readInput } from './input-file.ts';
import { parseValid } from './target-file.ts';
import { withFile } from './writer.ts';

/** Reads acknowledged differences. Throws a `UsageError` that names the file and what is wrong with it. */
export function readAcknowledged(name: string): AcknowledgedFile {
  const text = readInput(name, 'file of acknowledged differences');
  const acknowledged = parseValid<Acknowledged>(name, text, acknowledgedSchema, 'acknowledged-differences');
  refuseEntries(name, acknowledged.acknowledged, differenceKey, differenceName);
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
