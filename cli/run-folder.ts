import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Members, membersOf, parsedJson } from '../contracts/json.ts';
import { lockFolder } from '../reference-server/store/folder-lock.ts';
import { StoreError } from '../reference-server/store/store-error.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { baseUrlOf, invocation, shellWord } from '../reports/text/shell.ts';
import { refuse } from './input.ts';
import { makeFolder, refuseNoFile } from './own-file.ts';
import { tell, withFile } from './writer.ts';

const newline = 10;
const elsewhere = '; choose another place with --out';

/**
 * Takes the folder that a run writes into, and makes it where there is none: one run at a time. Throws a `UsageError`
 * where another run has it, and where nothing can be written. Returns what gives it back.
 */
export async function claimFolder(out: string): Promise<() => void> {
  const inUse = (folder: string, owner: string): string =>
    safeText(`${folder} is in use by a run, ${owner}; wait for its end, or choose another place with --out`, 400);
  withFile(out, elsewhere, () => {
    const stats = statSync(out, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) throw new Error('it is no folder');
    makeFolder(out);
    refuseNoFile(join(out, 'process.id'));
  });
  try {
    return (await lockFolder(out, { inUse })).release;
  } catch (error) {
    if (error instanceof StoreError) refuse(error.message);
    return withFile(out, elsewhere, () => {
      throw error;
    });
  }
}

/** A whole line of a journal as its members; none where it is no JSON. */
const lineOf = (bytes: Buffer): Members => membersOf(parsedJson(bytes.toString('utf8')));

/** Whether a run has read what it would put back: before that it writes nothing. */
const hasSnapshots = (journal: Buffer): boolean => journal.includes('"event":"snapshot"');

/** How what a run changed is put back that did not end, in words; nothing where it wrote to nothing. */
function remedyFor(journal: Buffer, kept: string, earlier: readonly string[]): string {
  const { baseUrl, embedded } = membersOf(lineOf(journal.subarray(0, journal.indexOf('\n'))).target);
  if (!hasSnapshots(journal)) return '';
  if (embedded === true) return ' Its server was the embedded one, which is gone: nothing is left to put back.';
  const address = baseUrlOf({ target: { baseUrl: safeText(String(baseUrl), 1_000), embedded: false } });
  const line = ` To put back what it changed: ${invocation} restore ${shellWord(kept)}${address}`;
  // The first run read what there was before all of them.
  return earlier.length === 0
    ? line
    : `${line}\nOthers before it did not either: name them too (${earlier.join(', ')}), unless they were put back.`;
}

/** What is said of a journal whose run is stopped before it has put back what it changed. */
export function stoppedText(journal: string): string {
  // It is gone where its folder is.
  if (!existsSync(journal)) return '';
  const remedy = remedyFor(readFileSync(journal), journal, []);
  return remedy === '' ? '' : `Stopped: not everything was put back.${remedy}\n`;
}

/** The journals that were put aside in the place of one, the oldest first, and the name of the next. */
function keptBeside(journal: string): { readonly earlier: readonly string[]; readonly next: string } {
  const stem = basename(journal, '.ndjson');
  const numbers = readdirSync(dirname(journal))
    .filter(name => name.startsWith(`${stem}.`) && name.endsWith('.ndjson'))
    .map(name => name.slice(stem.length + 1, -'.ndjson'.length))
    .filter(text => /^[1-9]\d{0,8}$/.test(text))
    .map(Number)
    .sort((one, other) => one - other);
  const nameOf = (number: number): string => join(dirname(journal), `${stem}.${number}.ndjson`);
  return { earlier: numbers.map(nameOf), next: nameOf((numbers.at(-1) ?? 0) + 1) };
}

/** Whether a run came to an end at which it could put back what it had changed, by the last line of its journal. */
const hasEnded = ({ event, outcome }: Members, journal: Buffer): boolean =>
  event === 'run-end' && (outcome === 'complete' || outcome === 'interrupted' || !hasSnapshots(journal));

/**
 * Puts the journal of a run that did not end aside, before another run takes its place, for it may be the only record of
 * what has to be put back; says so, and how, on the standard error. Throws a `UsageError` where that cannot be done.
 */
export function keepUnended(journal: string): void {
  const bytes = withFile(journal, elsewhere, () =>
    refuseNoFile(journal) === undefined ? undefined : readFileSync(journal),
  );
  // Without a whole line it says nothing.
  if (bytes === undefined || !bytes.includes('\n')) return;
  const last = bytes.subarray(bytes.lastIndexOf('\n', -2) + 1);
  if (last.at(-1) === newline && hasEnded(lineOf(last), bytes)) return;
  const { earlier, next } = keptBeside(journal);
  withFile(next, elsewhere, () => renameSync(journal, next));
  const remedy = remedyFor(bytes, next, earlier);
  tell(`The last run did not come to its end: its journal is kept as ${next}.${remedy}\n`);
}
